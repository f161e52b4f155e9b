-- The tables of the schema parser after all migrations. Made by `npm run schema-sql`.

create table parser.jobs (
  id uuid not null,
  document_id text,
  owner_id text,
  file_name text not null,
  storage_key text not null,
  own_files boolean not null,
  options jsonb not null,
  status text not null default 'queued'::text,
  progress real not null default 0,
  worker uuid,
  lease_until timestamp with time zone,
  markdown_key text,
  metadata jsonb,
  error jsonb,
  idempotency_key text,
  sha256 text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  requester text,
  constraint jobs_pkey PRIMARY KEY (id),
  constraint jobs_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'processing'::text, 'completed'::text, 'failed'::text])))
);
CREATE INDEX jobs_by_age ON parser.jobs USING btree (updated_at);
CREATE INDEX jobs_by_owner ON parser.jobs USING btree (owner_id, id) WHERE (owner_id IS NOT NULL);
CREATE UNIQUE INDEX jobs_idempotency ON parser.jobs USING btree (COALESCE(owner_id, ''::text), idempotency_key) WHERE (idempotency_key IS NOT NULL);
