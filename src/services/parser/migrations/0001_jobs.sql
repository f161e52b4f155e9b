create schema parser;

-- one row an attempt to read a file: those that documents send and those that are asked for over HTTP
create table parser.jobs (
  id uuid primary key,
  -- what wants to hear of it; null for a job that is asked for over HTTP without one
  document_id text,
  -- the user who may see it; null for a service's
  owner_id text,
  file_name text not null,
  storage_key text not null,
  -- whether the bytes and what is made of them are ours to delete
  own_files boolean not null,
  options jsonb not null,
  status text not null default 'queued' check (status in ('queued', 'processing', 'completed', 'failed')),
  progress real not null default 0,
  -- the worker in whose hands it is, and until when without a sign of life
  worker uuid,
  lease_until timestamptz,
  markdown_key text,
  metadata jsonb,
  error jsonb,
  idempotency_key text,
  sha256 text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create unique index jobs_idempotency on parser.jobs (coalesce(owner_id, ''), idempotency_key) where idempotency_key is not null;
create index jobs_by_age on parser.jobs (updated_at);
