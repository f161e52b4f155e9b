-- Chunks whose text an embedding model refuses. A change of the model ends without them.
create table documents.refused_chunks (
  chunk_id uuid not null references documents.chunks(id) on delete cascade,
  model_id smallint not null references documents.embedding_models(id) on delete cascade,
  code text not null,
  primary key (chunk_id, model_id)
);
create index refused_chunks_of_model on documents.refused_chunks (model_id);
