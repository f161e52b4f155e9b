create table core.agent_folders (
  id uuid primary key,
  owner_id text not null,
  name text not null,
  parent_id uuid references core.agent_folders (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index agent_folders_of_owner on core.agent_folders (owner_id);
create index agent_folders_in_folder on core.agent_folders (parent_id);

create table core.agents (
  id uuid primary key,
  -- empty: built in
  owner_id text not null,
  client_id text not null,
  type text not null check (type in ('simple', 'cortex', 'workflow', 'system', 'organization')),
  name text not null,
  folder_id uuid references core.agent_folders (id),
  -- all that makes it answer as it does; what it was before stands in agent_versions
  definition jsonb not null,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index agents_of_owner on core.agents (owner_id, updated_at desc) where deleted_at is null;
create index agents_of_organization on core.agents (client_id, updated_at desc) where deleted_at is null and type = 'organization';
create index agents_in_folder on core.agents (folder_id);
create index agents_deleted on core.agents (deleted_at) where deleted_at is not null;

create table core.agent_files (
  agent_id uuid not null references core.agents (id) on delete cascade,
  file_id uuid not null,
  position int not null,
  primary key (agent_id, file_id)
);

-- beyond the tables that the requirements name: who changed what, to compare and to go back to
create table core.agent_versions (
  agent_id uuid not null references core.agents (id) on delete cascade,
  version int not null,
  definition jsonb not null,
  files uuid[] not null,
  changed_by text not null,
  created_at timestamptz not null default now(),
  primary key (agent_id, version)
);

alter table core.conversations add column agent_id uuid;
alter table core.messages add column agent_id uuid, add column agent_version int;
