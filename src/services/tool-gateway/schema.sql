-- The tables of the schema tool_gateway after all migrations. Made by `npm run schema-sql`.

create table tool_gateway.approved_tools (
  server text not null,
  name text not null,
  fingerprint text not null,
  approved_at timestamp with time zone not null default now(),
  definition jsonb not null,
  constraint approved_tools_pkey PRIMARY KEY (server, name)
);

create table tool_gateway.known_servers (
  server text not null,
  registered_at timestamp with time zone,
  constraint known_servers_pkey PRIMARY KEY (server)
);

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
