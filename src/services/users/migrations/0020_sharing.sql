-- what can be shared: registered by the service that owns it
create table users.features (
  id uuid primary key,
  type text not null check (type in ('conversation', 'folder', 'document', 'agent')),
  resource_id text not null,
  owner_id text not null,
  client_id text not null default 'default',
  parent_id uuid references users.features (id) on delete set null,
  -- the folders above it, the topmost first, and itself last: a decision reads no tree
  ancestors uuid[] not null,
  -- of the last lock; it only grows
  lock_token bigint not null default 0,
  created_at timestamptz not null default now(),
  constraint one_feature_per_resource unique (type, resource_id)
);
create index features_of_owner on users.features (owner_id);
create index features_in_folder on users.features (parent_id) where parent_id is not null;
create index features_below on users.features using gin (ancestors);

create table users.shares (
  id uuid primary key,
  feature_id uuid not null references users.features (id) on delete cascade,
  subject_type text not null check (subject_type in ('user', 'group')),
  subject_id text not null,
  subject text not null generated always as (subject_type || ':' || subject_id) stored,
  access_role text not null check (access_role in ('viewer', 'commenter', 'editor', 'owner')),
  granted_by_user_id text not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
create unique index one_active_share on users.shares (feature_id, subject) where revoked_at is null;
create index shares_of_subject on users.shares (subject) where revoked_at is null;

create table users.links (
  feature_id uuid primary key references users.features (id) on delete cascade,
  enabled boolean not null,
  access_level text not null check (access_level in ('viewer', 'commenter', 'editor')),
  expires_at timestamptz,
  -- null: everybody of the tenant
  allowed_users text[],
  updated_at timestamptz not null default now()
);

create table users.groups (
  id uuid primary key,
  client_id text not null default 'default',
  name text not null,
  description text not null default '',
  -- a group of the organisation's identity provider, whose members are members here
  external_name text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index one_group_per_name on users.groups (client_id, lower(name));
create index groups_of_provider on users.groups (external_name) where external_name is not null;

create table users.group_members (
  group_id uuid not null references users.groups (id) on delete cascade,
  user_id text not null,
  primary key (group_id, user_id)
);
create index groups_of_member on users.group_members (user_id);

create table users.group_groups (
  parent_id uuid not null references users.groups (id) on delete cascade,
  child_id uuid not null references users.groups (id) on delete cascade,
  primary key (parent_id, child_id)
);
create index parents_of_group on users.group_groups (child_id);

-- whoever is in `descendant_id` is in `ancestor_id`; each group is in itself
create table users.group_closure (
  descendant_id uuid not null references users.groups (id) on delete cascade,
  ancestor_id uuid not null references users.groups (id) on delete cascade,
  primary key (descendant_id, ancestor_id)
);
create index groups_below on users.group_closure (ancestor_id);

-- one row a tree; whoever changes its form holds the row, so that two changes cannot make a circle
create table users.trees (name text primary key);
insert into users.trees values ('folders'), ('groups');

create table users.locks (
  feature_id uuid primary key references users.features (id) on delete cascade,
  user_id text not null,
  token bigint not null,
  acquired_at timestamptz not null,
  expires_at timestamptz not null
);
