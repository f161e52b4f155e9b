-- The tables of the schema integrations after all migrations. Made by `npm run schema-sql`.

create table integrations.flow_keys (
  user_id text not null,
  key_hash text not null,
  sealed_key text not null,
  created_at timestamp with time zone not null default now(),
  constraint flow_keys_pkey PRIMARY KEY (user_id),
  constraint flow_keys_key_hash_key UNIQUE (key_hash)
);

create table integrations.flow_permissions (
  provider text not null,
  user_id text not null,
  flow_id text not null,
  granted_by text not null,
  granted_at timestamp with time zone not null default now(),
  client_id text not null default 'default'::text,
  constraint flow_permissions_pkey PRIMARY KEY (provider, user_id, flow_id),
  constraint flow_permissions_provider_flow_id_fkey FOREIGN KEY (provider, flow_id) REFERENCES integrations.flows(provider, flow_id)
);
CREATE INDEX permissions_of_client ON integrations.flow_permissions USING btree (client_id, granted_at DESC);
CREATE INDEX permissions_of_flow ON integrations.flow_permissions USING btree (provider, flow_id);
CREATE INDEX permissions_of_user ON integrations.flow_permissions USING btree (user_id);

create table integrations.flows (
  provider text not null,
  flow_id text not null,
  account_user_id text,
  owner_id text,
  name text not null,
  description text not null default ''::text,
  updated_at timestamp with time zone,
  constraint flows_pkey PRIMARY KEY (provider, flow_id)
);
CREATE INDEX flows_of_account ON integrations.flows USING btree (account_user_id);
CREATE INDEX flows_of_owner ON integrations.flows USING btree (owner_id, flow_id);
