-- where clients of A2A want to be told how a task ended; gone with it, or after some days
create table core.task_receivers (
  message_id uuid not null references core.messages (id) on delete cascade,
  id text not null,
  url text not null,
  scheme text,
  -- a token and credentials, encrypted
  secrets text,
  version text not null,
  -- the run of the reply whose end was told last
  notified_run integer not null default 0,
  tries integer not null default 0,
  next_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  primary key (message_id, id)
);
create index task_receivers_due on core.task_receivers (next_at);
