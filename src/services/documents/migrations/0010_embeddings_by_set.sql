-- a few documents are searched through all their vectors, without the approximate index
create index embeddings_of_set on documents.embeddings (set_id, model_id);
