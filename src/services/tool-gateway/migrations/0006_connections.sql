-- the account of one user at one tool server; sealed: null once it has expired; lists: the tools of
-- the server are read with it
create table tool_gateway.connections (
  user_id text not null,
  server text not null,
  url text not null,
  sealed text,
  scopes text[] not null default '{}',
  wanted_scopes text[] not null default '{}',
  step_ups integer not null default 0,
  lists boolean not null default false,
  expires_at timestamptz,
  connected_at timestamptz not null default now(),
  primary key (user_id, server)
);
create index connections_server on tool_gateway.connections (server);
create unique index connections_lists on tool_gateway.connections (server) where lists;

-- as what we are known at the authorization server of a tool server
create table tool_gateway.registered_clients (
  server text not null,
  issuer text not null,
  redirect_uri text not null,
  sealed text not null,
  expires_at timestamptz,
  registered_at timestamptz not null default now(),
  primary key (server, issuer)
);

-- sign-ins that began and have not ended
create table tool_gateway.sign_ins (
  state_hash text primary key,
  user_id text not null,
  server text not null,
  sealed text not null,
  expires_at timestamptz not null
);
create index sign_ins_user on tool_gateway.sign_ins (user_id);
create index sign_ins_expires on tool_gateway.sign_ins (expires_at);
