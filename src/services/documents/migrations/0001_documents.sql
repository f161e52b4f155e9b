create schema documents;

create table documents.folders (
  id uuid primary key,
  owner_id text not null,
  client_id text not null,
  parent_id uuid references documents.folders (id),
  name text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index folders_of_owner on documents.folders (owner_id);
create index folders_in_folder on documents.folders (parent_id);

create table documents.documents (
  id uuid primary key,
  owner_id text not null,
  client_id text not null,
  folder_id uuid references documents.folders (id),
  file_name text not null,
  -- by its bytes, not as the client says
  mime_type text not null,
  size bigint not null,
  sha256 text not null,
  storage_key text not null unique,
  status text not null check (status in ('UPLOADED', 'PARSING', 'PARSED', 'EMBEDDING', 'PROCESSED', 'FAILED')),
  error jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- the same bytes of the same owner are one document
create unique index one_document_per_content on documents.documents (owner_id, sha256);
create index documents_of_owner on documents.documents (owner_id, updated_at desc);
create index documents_in_folder on documents.documents (folder_id);
