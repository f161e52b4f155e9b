-- a person's account at the flow provider
create table users.flow_accounts (
  user_id text primary key,
  username text not null,
  -- encrypted with ENCRYPTION_KEY
  password text not null,
  api_key text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table users.marks (
  user_id text not null,
  kind text not null check (kind in ('pin', 'favorite')),
  resource_type text not null,
  resource_id text not null,
  created_at timestamptz not null default now(),
  primary key (user_id, kind, resource_type, resource_id)
);
create index marks_by_time on users.marks (user_id, kind, created_at desc);

create table users.tags (
  user_id text not null,
  resource_type text not null,
  resource_id text not null,
  tag text not null,
  primary key (user_id, resource_type, resource_id, tag)
);
create index resources_of_tag on users.tags (user_id, tag);

create table users.preferences (
  user_id text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);
