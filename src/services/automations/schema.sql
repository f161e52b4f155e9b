-- The tables of the schema automations after all migrations. Made by `npm run schema-sql`.

create table automations.idempotency_keys (
  user_id text not null,
  key text not null,
  fingerprint text not null,
  run_id uuid not null,
  created_at timestamp with time zone not null default now(),
  constraint idempotency_keys_pkey PRIMARY KEY (user_id, key),
  constraint idempotency_keys_run_id_fkey FOREIGN KEY (run_id) REFERENCES automations.runs(id) ON DELETE CASCADE
);
CREATE INDEX idempotency_keys_by_age ON automations.idempotency_keys USING btree (user_id, created_at);
CREATE INDEX idempotency_keys_of_run ON automations.idempotency_keys USING btree (run_id);

create table automations.rules (
  id bigint not null,
  client_id text not null,
  name text not null,
  type text not null,
  origin text not null,
  agents jsonb not null,
  is_active boolean not null,
  user_id text not null,
  created_at timestamp with time zone not null default now(),
  last_update timestamp with time zone not null default now(),
  scope text not null,
  constraint rules_pkey PRIMARY KEY (id),
  constraint rules_scope_check CHECK ((scope = ANY (ARRAY['client'::text, 'personal'::text])))
);
CREATE INDEX client_rules_of_user ON automations.rules USING btree (user_id) WHERE (scope = 'client'::text);
CREATE INDEX personal_rules ON automations.rules USING btree (user_id, id) WHERE (scope = 'personal'::text);
CREATE INDEX rules_of_client ON automations.rules USING btree (client_id, id);

create table automations.runs (
  id uuid not null,
  client_id text not null,
  user_id text not null,
  rule_id bigint,
  name text not null default ''::text,
  type text not null,
  origin text not null,
  source_id uuid,
  schedule_id uuid,
  rerun_of uuid,
  made_by bigint[] not null default '{}'::bigint[],
  status text not null,
  medium jsonb,
  storage_key text,
  document_id uuid,
  conversation_id uuid not null,
  transcript text,
  found jsonb not null default '{}'::jsonb,
  error jsonb,
  tries integer not null default 0,
  claim integer not null default 0,
  due_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  input text,
  tick timestamp with time zone,
  maker_id text,
  constraint runs_pkey PRIMARY KEY (id),
  constraint runs_status_check CHECK ((status = ANY (ARRAY['unmatched'::text, 'reading'::text, 'running'::text, 'completed'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE UNIQUE INDEX one_run_of_tick ON automations.runs USING btree (schedule_id, tick) WHERE (tick IS NOT NULL);
CREATE INDEX readings_by_user ON automations.runs USING btree (user_id, due_at) WHERE (status = 'reading'::text);
CREATE INDEX runs_by_end ON automations.runs USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX runs_in_work ON automations.runs USING btree (user_id) WHERE (status = ANY (ARRAY['reading'::text, 'running'::text]));
CREATE INDEX runs_of_rule ON automations.runs USING btree (rule_id, id DESC) WHERE (rule_id IS NOT NULL);
CREATE INDEX runs_of_user ON automations.runs USING btree (user_id, id DESC);
CREATE INDEX runs_to_read ON automations.runs USING btree (due_at) WHERE (status = 'reading'::text);

create table automations.schedules (
  id uuid not null,
  client_id text not null,
  user_id text not null,
  name text not null,
  cron text not null,
  time_zone text not null,
  input text not null,
  agents jsonb not null,
  is_active boolean not null,
  next_at timestamp with time zone,
  last_at timestamp with time zone,
  last_run_id uuid,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  error jsonb,
  constraint schedules_pkey PRIMARY KEY (id)
);
CREATE INDEX schedules_due ON automations.schedules USING btree (next_at) WHERE is_active;
CREATE INDEX schedules_of_user ON automations.schedules USING btree (user_id, id);

create table automations.source_items (
  source_id uuid not null,
  key text not null,
  version text not null,
  state text not null,
  run_id uuid,
  error jsonb,
  seen_at timestamp with time zone not null default now(),
  constraint source_items_pkey PRIMARY KEY (source_id, key),
  constraint source_items_source_id_fkey FOREIGN KEY (source_id) REFERENCES automations.sources(id) ON DELETE CASCADE,
  constraint source_items_state_check CHECK ((state = ANY (ARRAY['seen'::text, 'taken'::text, 'refused'::text])))
);

create table automations.sources (
  id uuid not null,
  client_id text not null,
  user_id text not null,
  name text not null,
  kind text not null,
  settings jsonb not null,
  secret text not null,
  origin text not null,
  type text,
  tags text[] not null,
  is_active boolean not null,
  every_ms integer,
  due_at timestamp with time zone,
  claim integer not null default 0,
  failures integer not null default 0,
  error jsonb,
  looked_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint sources_pkey PRIMARY KEY (id),
  constraint sources_kind_check CHECK ((kind = ANY (ARRAY['folder'::text, 's3'::text, 'webhook'::text])))
);
CREATE INDEX active_sources_by_user ON automations.sources USING btree (user_id, due_at) WHERE (is_active AND (due_at IS NOT NULL));
CREATE INDEX sources_due ON automations.sources USING btree (due_at) WHERE (is_active AND (due_at IS NOT NULL));
CREATE INDEX sources_of_user ON automations.sources USING btree (user_id, id);

create table automations.steps (
  run_id uuid not null,
  agent_id uuid not null,
  position integer not null,
  priority integer not null,
  timeout_ms integer not null,
  retry_count integer not null,
  depends_on uuid[] not null,
  status text not null,
  failures integer not null default 0,
  losses integer not null default 0,
  attempt integer not null default 1,
  attempt_started_at timestamp with time zone,
  claim integer not null default 0,
  due_at timestamp with time zone,
  conversation_id uuid,
  message_id uuid,
  output text,
  output_hash text,
  usage jsonb,
  error jsonb,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  user_id text not null,
  constraint steps_pkey PRIMARY KEY (run_id, agent_id),
  constraint steps_run_id_fkey FOREIGN KEY (run_id) REFERENCES automations.runs(id) ON DELETE CASCADE,
  constraint steps_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'ready'::text, 'running'::text, 'approval'::text, 'completed'::text, 'failed'::text, 'skipped'::text, 'cancelled'::text])))
);
CREATE INDEX steps_by_output ON automations.steps USING btree (output_hash) WHERE (output_hash IS NOT NULL);
CREATE INDEX steps_by_user ON automations.steps USING btree (user_id, due_at) WHERE (status = ANY (ARRAY['ready'::text, 'running'::text, 'approval'::text]));
CREATE INDEX steps_due ON automations.steps USING btree (due_at) WHERE (status = ANY (ARRAY['ready'::text, 'running'::text, 'approval'::text]));

CREATE OR REPLACE FUNCTION automations.notify_due()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('automations_due', '');
  return null;
end $function$
;
