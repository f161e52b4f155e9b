-- Files and vector stores of OpenAI's API: documents, and folders of them.
alter table documents.documents add column purpose text;
create index documents_of_owner_by_id on documents.documents (owner_id, id);
create index documents_in_folder_by_id on documents.documents (folder_id, id);
alter table documents.folders add column store jsonb not null default '{}';

-- Files of a store that lie elsewhere, and the attributes of its files.
create table documents.store_files (
  folder_id uuid not null references documents.folders (id) on delete cascade,
  document_id uuid not null references documents.documents (id) on delete cascade,
  attributes jsonb not null default '{}',
  primary key (folder_id, document_id)
);
create index store_files_of_document on documents.store_files (document_id);

create table documents.file_batches (
  id uuid primary key,
  folder_id uuid not null references documents.folders (id) on delete cascade,
  document_ids uuid[] not null,
  created_at timestamptz not null default now()
);
create index file_batches_of_folder on documents.file_batches (folder_id, created_at);
