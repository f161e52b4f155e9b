-- A deletion looks for the rows that refer to what it deletes. `parent_id` cascades, since messages
-- are deleted in batches, the newest first.
create index messages_of_parent on core.messages (parent_id) where parent_id is not null;
create index idempotency_keys_of_message on core.idempotency_keys (message_id);
alter table core.messages drop constraint messages_parent_id_fkey;
alter table core.messages add constraint messages_parent_id_fkey
  foreign key (parent_id) references core.messages (id) on delete cascade;
