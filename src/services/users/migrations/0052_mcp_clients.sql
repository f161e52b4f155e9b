-- clients of MCP that registered themselves; whoever reaches the server may do that
create table users.mcp_clients (
  id text primary key,
  name text not null,
  redirect_uris text[] not null,
  registered_at timestamptz not null default now(),
  used_at timestamptz not null default now()
);
create index mcp_clients_used on users.mcp_clients (used_at);

-- what a user granted to a client, until nothing was renewed for long
create table users.mcp_grants (
  id uuid primary key,
  user_id uuid not null references users.users on delete cascade,
  client_id text not null,
  client_name text not null,
  redirect_host text not null,
  scopes text[] not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  expires_at timestamptz not null
);
create index mcp_grants_user on users.mcp_grants (user_id, created_at);
create index mcp_grants_client on users.mcp_grants (client_id);
create index mcp_grants_expires on users.mcp_grants (expires_at);

-- grant_id: null until the code was exchanged, once
create table users.mcp_codes (
  hash text primary key,
  user_id uuid not null references users.users on delete cascade,
  client_id text not null,
  client_name text not null,
  redirect_uri text not null,
  challenge text not null,
  scopes text[] not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  grant_id uuid references users.mcp_grants on delete set null
);
create index mcp_codes_user on users.mcp_codes (user_id);
create index mcp_codes_expires on users.mcp_codes (expires_at);
create index mcp_codes_grant on users.mcp_codes (grant_id);

create table users.mcp_tokens (
  hash text primary key,
  grant_id uuid not null references users.mcp_grants on delete cascade,
  kind text not null check (kind in ('access', 'refresh')),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index mcp_tokens_grant on users.mcp_tokens (grant_id);
