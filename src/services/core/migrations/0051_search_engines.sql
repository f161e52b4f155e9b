create table core.search_engines (
  id uuid primary key,
  kind text not null,
  name text not null,
  enabled boolean not null default true,
  -- texts by field; keys are sealed
  config jsonb not null,
  position integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
