-- models that answer in the place of one that fails, in their order
create table core.model_fallbacks (
  available_model_id text not null references core.available_models (id) on delete cascade,
  position smallint not null,
  fallback_id text not null references core.available_models (id) on delete cascade,
  primary key (available_model_id, position),
  unique (available_model_id, fallback_id)
);
create index model_fallbacks_of_fallback on core.model_fallbacks (fallback_id);

-- who answered, where it was not the model that was asked
alter table core.messages add column answered_by jsonb;
