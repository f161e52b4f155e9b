create schema core;

create table core.conversations (
  id uuid primary key,
  user_id text not null,
  client_id text not null default 'default',
  title text not null default '',
  pinned boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
-- the chat history: newest activity first
create index conversations_of_user on core.conversations (user_id, updated_at desc) where deleted_at is null;

create table core.messages (
  id uuid primary key,
  conversation_id uuid not null references core.conversations (id) on delete cascade,
  parent_id uuid references core.messages (id),
  role text not null check (role in ('user', 'assistant')),
  content text not null default '',
  status text not null check (status in ('streaming', 'complete', 'stopped', 'failed')),
  model text,
  -- calls with their results, as they are shown
  tool_calls jsonb not null default '[]',
  -- what the loop said to itself in this reply, as later turns need it
  history jsonb not null default '[]',
  -- what to ask again with, when a person decides on a waiting call
  request jsonb,
  waiting jsonb not null default '[]',
  usage jsonb,
  finish_reason text,
  error jsonb,
  -- how often generation began: each time has its own log of events
  run int not null default 1,
  -- while it streams: until when its process has said that it lives
  lease_until timestamptz,
  created_at timestamptz not null default now()
);
create index messages_of_conversation on core.messages (conversation_id, created_at, id);
create index messages_streaming on core.messages (lease_until) where status = 'streaming';

create table core.idempotency_keys (
  user_id text not null,
  key text not null,
  body_hash text not null,
  message_id uuid not null references core.messages (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);
create index idempotency_keys_by_age on core.idempotency_keys (created_at);

create table core.model_providers (
  name text primary key,
  display_name text not null,
  kind text not null,
  enabled boolean not null default true,
  -- secrets in it are encrypted
  config jsonb not null default '{}',
  -- made from the environment, and kept as it says at each start
  from_environment boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table core.models (
  id text primary key,
  name text not null,
  kind text not null check (kind in ('completion', 'embedding')),
  context_window int,
  max_output_tokens int,
  dimensions int,
  capabilities jsonb not null,
  enabled boolean not null default true,
  created_at timestamptz not null default now()
);

create table core.available_models (
  id text primary key,
  position int generated always as identity,
  model_id text not null references core.models (id) on delete cascade,
  provider_name text not null references core.model_providers (name) on delete cascade,
  provider_model_id text not null,
  display_name text not null,
  enabled boolean not null default true,
  pricing jsonb,
  created_at timestamptz not null default now(),
  unique (provider_name, provider_model_id)
);

create table core.mcp_servers (
  name text primary key,
  url text not null,
  -- the whole entry but name and url; header values are encrypted
  settings jsonb not null default '{}',
  headers text,
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table core.model_transactions (
  id uuid primary key,
  provider text not null,
  model text not null,
  user_id text,
  conversation_id text,
  input_tokens int not null,
  output_tokens int not null,
  cached_input_tokens int,
  estimated boolean not null default false,
  duration_ms int not null,
  finish_reason text not null,
  created_at timestamptz not null
);
create index model_transactions_by_time on core.model_transactions (created_at);
create index model_transactions_of_user on core.model_transactions (user_id, created_at);
