create table core.canvases (
  id uuid primary key,
  user_id text not null,
  client_id text not null,
  conversation_id uuid references core.conversations (id) on delete set null,
  title text not null,
  type text not null check (type in ('markdown', 'code', 'html')),
  -- of code
  language text,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index canvases_of_user on core.canvases (user_id, updated_at desc) where deleted_at is null;
create index canvases_of_conversation on core.canvases (conversation_id);
create index canvases_deleted on core.canvases (deleted_at) where deleted_at is not null;

-- never changed
create table core.canvas_versions (
  canvas_id uuid not null references core.canvases (id) on delete cascade,
  version int not null,
  content text not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  primary key (canvas_id, version)
);
