-- Where media come from by themselves.
create table automations.sources (
  id uuid primary key,
  client_id text not null,
  user_id text not null,
  name text not null,
  kind text not null check (kind in ('folder', 's3', 'webhook')),
  -- without secrets
  settings jsonb not null,
  -- of the bucket or the webhook, encrypted
  secret text not null,
  origin text not null,
  type text,
  tags text[] not null,
  is_active boolean not null,
  -- of one that is looked at: how often, and when next; while it is looked at, until when that is believed
  every_ms int,
  due_at timestamptz,
  claim int not null default 0,
  failures int not null default 0,
  error jsonb,
  looked_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sources_of_user on automations.sources (user_id, id);
create index sources_due on automations.sources (due_at) where is_active and due_at is not null;

-- What was seen of a source: a file is taken once for each of its contents.
create table automations.source_items (
  source_id uuid not null references automations.sources (id) on delete cascade,
  key text not null,
  -- changes with the content, as far as the source tells
  version text not null,
  -- 'seen': it may still be written to
  state text not null check (state in ('seen', 'taken', 'refused')),
  run_id uuid,
  error jsonb,
  seen_at timestamptz not null default now(),
  primary key (source_id, key)
);

-- Agents that begin by the clock.
create table automations.schedules (
  id uuid primary key,
  client_id text not null,
  user_id text not null,
  name text not null,
  cron text not null,
  time_zone text not null,
  input text not null,
  agents jsonb not null,
  is_active boolean not null,
  next_at timestamptz,
  last_at timestamptz,
  last_run_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index schedules_of_user on automations.schedules (user_id, id);
create index schedules_due on automations.schedules (next_at) where is_active;

-- what a schedule gives its agents, where there is no medium
alter table automations.runs add column input text;
alter table automations.runs add column tick timestamptz;
create unique index one_run_of_tick on automations.runs (schedule_id, tick) where tick is not null;
