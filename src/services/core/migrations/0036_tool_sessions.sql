create table core.tool_sessions (
  id uuid primary key,
  user_id text not null,
  definition jsonb not null,
  sources jsonb not null,
  created_at timestamptz not null default now()
);
create index tool_sessions_by_age on core.tool_sessions (created_at);
