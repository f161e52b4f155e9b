-- The owner of a personal template; null: a template of the organisation.
alter table core.templates add column owner_id text;
create index templates_of_owner on core.templates (owner_id) where owner_id is not null;
