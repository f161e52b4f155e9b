create table core.templates (
  id uuid primary key,
  name text not null,
  description text not null,
  -- with {{variables}}
  content text not null,
  variables jsonb not null,
  language text not null,
  built_in boolean not null default false,
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index templates_by_name on core.templates (lower(name), id);

create table core.conversions (
  id uuid primary key,
  user_id text not null,
  type text not null check (type in ('grammar', 'translation', 'summarisation')),
  input text not null,
  output text not null default '',
  target_language text,
  options jsonb not null,
  status text not null check (status in ('running', 'complete', 'stopped', 'failed')),
  model text not null,
  error jsonb,
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index conversions_of_user on core.conversions (user_id, created_at desc);
create index conversions_running on core.conversions (lease_until) where status = 'running';
