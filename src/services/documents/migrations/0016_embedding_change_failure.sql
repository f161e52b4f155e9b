-- Why the last attempt to embed chunks with the next model failed: {code, message}.
alter table documents.embedding_models add column failure jsonb;
