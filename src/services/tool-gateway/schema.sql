-- The tables of the schema tool_gateway after all migrations. Made by `npm run schema-sql`.

create table tool_gateway.approved_tools (
  server text not null,
  name text not null,
  fingerprint text not null,
  approved_at timestamp with time zone not null default now(),
  definition jsonb not null,
  constraint approved_tools_pkey PRIMARY KEY (server, name)
);

create table tool_gateway.connections (
  user_id text not null,
  server text not null,
  url text not null,
  sealed text,
  scopes text[] not null default '{}'::text[],
  wanted_scopes text[] not null default '{}'::text[],
  step_ups integer not null default 0,
  lists boolean not null default false,
  expires_at timestamp with time zone,
  connected_at timestamp with time zone not null default now(),
  version uuid not null default gen_random_uuid(),
  constraint connections_pkey PRIMARY KEY (user_id, server)
);
CREATE UNIQUE INDEX connections_lists ON tool_gateway.connections USING btree (server) WHERE lists;
CREATE INDEX connections_server ON tool_gateway.connections USING btree (server);

create table tool_gateway.known_servers (
  server text not null,
  registered_at timestamp with time zone,
  constraint known_servers_pkey PRIMARY KEY (server)
);

create table tool_gateway.pinned_issuers (
  server text not null,
  url text not null,
  client_id text not null,
  issuer text not null,
  pinned_at timestamp with time zone not null default now(),
  constraint pinned_issuers_pkey PRIMARY KEY (server, url, client_id)
);

create table tool_gateway.registered_clients (
  server text not null,
  issuer text not null,
  redirect_uri text not null,
  sealed text not null,
  expires_at timestamp with time zone,
  registered_at timestamp with time zone not null default now(),
  constraint registered_clients_pkey PRIMARY KEY (server, issuer)
);

create table tool_gateway.sign_ins (
  state_hash text not null,
  user_id text not null,
  server text not null,
  sealed text not null,
  expires_at timestamp with time zone not null,
  taken boolean not null default false,
  constraint sign_ins_pkey PRIMARY KEY (state_hash)
);
CREATE INDEX sign_ins_expires ON tool_gateway.sign_ins USING btree (expires_at);
CREATE INDEX sign_ins_user ON tool_gateway.sign_ins USING btree (user_id);

create table tool_gateway.tool_effects (
  server text not null,
  name text not null,
  effect text not null,
  fingerprint text not null,
  set_by text not null,
  set_at timestamp with time zone not null default now(),
  constraint tool_effects_pkey PRIMARY KEY (server, name),
  constraint tool_effects_effect_check CHECK ((effect = ANY (ARRAY['read_only'::text, 'additive'::text, 'destructive'::text])))
);

create table tool_gateway.user_values (
  user_id text not null,
  server text not null,
  url text not null,
  sealed text not null,
  lists boolean not null default false,
  filled_at timestamp with time zone not null default now(),
  constraint user_values_pkey PRIMARY KEY (user_id, server)
);
CREATE UNIQUE INDEX user_values_lists ON tool_gateway.user_values USING btree (server) WHERE lists;
CREATE INDEX user_values_server ON tool_gateway.user_values USING btree (server);
