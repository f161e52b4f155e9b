-- Whoever looks for due work hears of each time at which some is, and need not ask each second.
create function automations.notify_due() returns trigger language plpgsql as $$
begin
  perform pg_notify('automations_due', '');
  return null;
end $$;
create trigger notify_due after insert or update of status, due_at on automations.runs
  for each row when (new.due_at is not null) execute function automations.notify_due();
create trigger notify_due after insert or update of status, due_at on automations.steps
  for each row when (new.due_at is not null) execute function automations.notify_due();
create trigger notify_due after insert or update of is_active, due_at on automations.sources
  for each row when (new.is_active and new.due_at is not null)
  execute function automations.notify_due();
create trigger notify_due after insert or update of is_active, next_at on automations.schedules
  for each row when (new.is_active and new.next_at is not null)
  execute function automations.notify_due();
