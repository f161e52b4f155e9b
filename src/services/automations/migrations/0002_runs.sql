-- One medium that came in, or one tick of a schedule, and what is made of it.
create table automations.runs (
  id uuid primary key,
  client_id text not null,
  -- whose it is: in his name agents run, and he alone sees it
  user_id text not null,
  -- as they were when it matched: the rule may be gone since
  rule_id bigint,
  name text not null default '',
  type text not null,
  origin text not null,
  source_id uuid,
  schedule_id uuid,
  rerun_of uuid,
  -- rules that had a part in making the medium: they do not take it
  made_by bigint[] not null default '{}',
  status text not null check (status in ('unmatched', 'reading', 'running', 'completed', 'failed', 'cancelled')),
  -- filename, mimeType, size, sha256, path, tags, metadata; null where a schedule began it
  medium jsonb,
  storage_key text,
  document_id uuid,
  conversation_id uuid not null,
  transcript text,
  -- duration, language
  found jsonb not null default '{}',
  error jsonb,
  -- of the reading: tries, and when it is due; while it is in work, until when its worker has said that it lives
  tries int not null default 0,
  claim int not null default 0,
  due_at timestamptz,
  created_at timestamptz not null default now(),
  ended_at timestamptz
);
create index runs_of_user on automations.runs (user_id, id desc);
create index runs_to_read on automations.runs (due_at) where status = 'reading';
create index runs_in_work on automations.runs (user_id) where status in ('reading', 'running');
create index runs_by_end on automations.runs (ended_at) where ended_at is not null;

-- One agent of a run.
create table automations.steps (
  run_id uuid not null references automations.runs (id) on delete cascade,
  agent_id uuid not null,
  position int not null,
  priority int not null,
  timeout_ms int not null,
  retry_count int not null,
  depends_on uuid[] not null,
  -- 'waiting' for others, 'ready' when due, 'approval': a tool call waits for the person
  status text not null check (status in ('waiting', 'ready', 'running', 'approval', 'completed', 'failed', 'skipped', 'cancelled')),
  -- tries that ended in failure; times that a process ended in the middle, which count for nothing up to a bound
  failures int not null default 0,
  losses int not null default 0,
  -- each try asks the core under a key of its own
  attempt int not null default 1,
  attempt_started_at timestamptz,
  -- who holds it: a worker whose claim is not the newest any more writes nothing
  claim int not null default 0,
  due_at timestamptz,
  conversation_id uuid,
  message_id uuid,
  output text,
  -- of its words, to know media that it made
  output_hash text,
  usage jsonb,
  error jsonb,
  started_at timestamptz,
  ended_at timestamptz,
  primary key (run_id, agent_id)
);
create index steps_due on automations.steps (due_at) where status in ('ready', 'running', 'approval');
create index steps_by_output on automations.steps (output_hash) where output_hash is not null;

-- The same request again is the same run.
create table automations.idempotency_keys (
  user_id text not null,
  key text not null,
  fingerprint text not null,
  run_id uuid not null references automations.runs (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);
