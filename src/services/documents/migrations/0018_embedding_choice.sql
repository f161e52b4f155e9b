-- The embedding model that an administrator chose. No row: the one that the environment names.
create table documents.embedding_choice (
  id boolean primary key default true check (id),
  name text not null,
  provider text not null,
  dimensions int not null check (dimensions between 1 and 2000),
  -- an entry of the catalogue; null: it is asked by the settings of the environment, or built in
  available_model_id text,
  -- the address of its server; null: it needs none
  server text
);
alter table documents.embedding_models
  add column available_model_id text,
  add column server text;
