-- until when a response that is made in the background is believed to be; null: it has ended, or its
-- client waits for it
alter table core.responses add column running_until timestamptz;
create index responses_running on core.responses (user_id) where running_until is not null;
