-- why a schedule was stopped: {code, message}
alter table automations.schedules add column error jsonb;
