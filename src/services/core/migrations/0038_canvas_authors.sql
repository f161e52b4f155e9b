-- the reply in which a model wrote the version; null: a person wrote it
alter table core.canvas_versions add column message_id uuid
  references core.messages (id) on delete set null;
create index canvas_versions_of_message on core.canvas_versions (message_id)
  where message_id is not null;
