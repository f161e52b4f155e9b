-- a few documents are searched through all their vectors, without the approximate index
create index embeddings_of_set on documents.embeddings (set_id, model_id);
-- of the numbers in a model's index: half as long where the processor converts them, whole where the database is WebAssembly
alter table documents.embedding_models add column index_type text not null default 'halfvec' check (index_type in ('halfvec', 'vector'));
