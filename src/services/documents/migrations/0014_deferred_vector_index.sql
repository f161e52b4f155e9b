-- The HNSW index of a model holds only vectors with `indexed`. The embedding service sets it later,
-- in the background, and only when there are more vectors than an exact search compares quickly.
alter table documents.embeddings add column indexed boolean not null default false;
create index embeddings_unindexed on documents.embeddings (model_id, chunk_id) where not indexed;
do $$
declare
  model record;
  links text;
begin
  for model in select * from documents.embedding_models loop
    execute format('drop index if exists documents.embeddings_hnsw_%s', model.id);
    links := case
      when model.index_type = 'vector' then 'm = 16, ef_construction = 64'
      when model.provider = 'local' then 'm = 40, ef_construction = 256'
      else 'm = 24, ef_construction = 128'
    end;
    execute format(
      'create index embeddings_hnsw_%s on documents.embeddings
        using hnsw ((embedding::%s(%s)) %s_cosine_ops) with (%s) where model_id = %s and indexed',
      model.id, model.index_type, model.dimensions, model.index_type, links, model.id);
  end loop;
end $$;
