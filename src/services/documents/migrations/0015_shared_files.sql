-- The same bytes of one owner may be in several folders: those documents share one stored file.
drop index documents.one_document_per_content;
create index documents_by_content on documents.documents (owner_id, sha256);
alter table documents.documents drop constraint documents_storage_key_key;
create index documents_by_file on documents.documents (storage_key);
