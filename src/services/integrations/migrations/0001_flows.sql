create schema integrations;

-- flows as they were last seen: in whose account at the provider they lie, and whose they are here
create table integrations.flows (
  provider text not null,
  flow_id text not null,
  -- the user whose account holds it; null: the operator's own account
  account_user_id text,
  -- null: nobody's, so it runs for those alone to whom it was granted
  owner_id text,
  name text not null,
  description text not null default '',
  updated_at timestamptz,
  primary key (provider, flow_id)
);
create index flows_of_owner on integrations.flows (owner_id, flow_id);
create index flows_of_account on integrations.flows (account_user_id);

-- one key a user
create table integrations.flow_keys (
  user_id text primary key,
  key_hash text not null unique,
  -- encrypted with ENCRYPTION_KEY
  sealed_key text not null,
  created_at timestamptz not null default now()
);

create table integrations.flow_permissions (
  provider text not null,
  user_id text not null,
  flow_id text not null,
  granted_by text not null,
  granted_at timestamptz not null default now(),
  primary key (provider, user_id, flow_id),
  foreign key (provider, flow_id) references integrations.flows (provider, flow_id)
);
create index permissions_of_flow on integrations.flow_permissions (provider, flow_id);

-- who makes or mends an account right now, of all replicas
create table integrations.account_leases (
  provider text not null,
  user_id text not null,
  holder uuid not null,
  expires_at timestamptz not null,
  primary key (provider, user_id)
);
