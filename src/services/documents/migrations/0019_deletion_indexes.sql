-- The deletion of a model looks for its embeddings.
create index embeddings_of_model on documents.embeddings (model_id);
