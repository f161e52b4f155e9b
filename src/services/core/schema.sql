-- The tables of the schema core after all migrations. Made by `npm run schema-sql`.

create table core.agent_files (
  agent_id uuid not null,
  file_id uuid not null,
  position integer not null,
  constraint agent_files_pkey PRIMARY KEY (agent_id, file_id),
  constraint agent_files_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES core.agents(id) ON DELETE CASCADE
);

create table core.agent_folders (
  id uuid not null,
  owner_id text not null,
  name text not null,
  parent_id uuid,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint agent_folders_pkey PRIMARY KEY (id),
  constraint agent_folders_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES core.agent_folders(id)
);
CREATE INDEX agent_folders_in_folder ON core.agent_folders USING btree (parent_id);
CREATE INDEX agent_folders_of_owner ON core.agent_folders USING btree (owner_id);

create table core.agent_versions (
  agent_id uuid not null,
  version integer not null,
  definition jsonb not null,
  files uuid[] not null,
  changed_by text not null,
  created_at timestamp with time zone not null default now(),
  constraint agent_versions_pkey PRIMARY KEY (agent_id, version),
  constraint agent_versions_agent_id_fkey FOREIGN KEY (agent_id) REFERENCES core.agents(id) ON DELETE CASCADE
);

create table core.agents (
  id uuid not null,
  owner_id text not null,
  client_id text not null,
  type text not null,
  name text not null,
  folder_id uuid,
  definition jsonb not null,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  bytes bigint not null default 0,
  constraint agents_pkey PRIMARY KEY (id),
  constraint agents_folder_id_fkey FOREIGN KEY (folder_id) REFERENCES core.agent_folders(id),
  constraint agents_type_check CHECK ((type = ANY (ARRAY['simple'::text, 'cortex'::text, 'workflow'::text, 'system'::text, 'organization'::text])))
);
CREATE INDEX agents_deleted ON core.agents USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX agents_in_folder ON core.agents USING btree (folder_id);
CREATE INDEX agents_in_trash_of_owner ON core.agents USING btree (owner_id) WHERE (deleted_at IS NOT NULL);
CREATE INDEX agents_of_organization ON core.agents USING btree (client_id, updated_at DESC) WHERE ((deleted_at IS NULL) AND (type = 'organization'::text));
CREATE INDEX agents_of_owner ON core.agents USING btree (owner_id, updated_at DESC) WHERE (deleted_at IS NULL);

create table core.allowed_addresses (
  address text not null,
  allowed_by text not null,
  allowed_at timestamp with time zone not null default now(),
  constraint allowed_addresses_pkey PRIMARY KEY (address)
);

create table core.allowed_tools (
  user_id text not null,
  server text not null,
  name text not null,
  fingerprint text not null,
  allowed_at timestamp with time zone not null default now(),
  constraint allowed_tools_pkey PRIMARY KEY (user_id, server, name)
);
CREATE INDEX allowed_tools_of_server ON core.allowed_tools USING btree (server);

create table core.available_models (
  id text not null,
  position integer not null,
  model_id text not null,
  provider_name text not null,
  provider_model_id text not null,
  display_name text not null,
  enabled boolean not null default true,
  pricing jsonb,
  created_at timestamp with time zone not null default now(),
  from_environment boolean not null default false,
  offered boolean not null default true,
  load_sharing jsonb,
  parameters jsonb,
  constraint available_models_pkey PRIMARY KEY (id),
  constraint available_models_provider_name_provider_model_id_key UNIQUE (provider_name, provider_model_id),
  constraint available_models_model_id_fkey FOREIGN KEY (model_id) REFERENCES core.models(id) ON DELETE CASCADE,
  constraint available_models_provider_name_fkey FOREIGN KEY (provider_name) REFERENCES core.model_providers(name) ON DELETE CASCADE
);
CREATE INDEX available_models_of_model ON core.available_models USING btree (model_id);

create table core.budget_spending (
  budget_id uuid not null,
  spender text not null,
  period_start date not null,
  spent numeric(20,10) not null,
  constraint budget_spending_pkey PRIMARY KEY (budget_id, spender, period_start),
  constraint budget_spending_budget_id_fkey FOREIGN KEY (budget_id) REFERENCES core.budgets(id) ON DELETE CASCADE
);

create table core.budgets (
  id uuid not null,
  name text not null,
  subject_type text not null,
  subject_id text not null,
  share text not null,
  unit text not null,
  amount numeric(20,6) not null,
  period text not null,
  warn_at numeric(4,3) not null,
  enabled boolean not null,
  created_by text not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint budgets_pkey PRIMARY KEY (id),
  constraint budgets_period_check CHECK ((period = ANY (ARRAY['day'::text, 'week'::text, 'month'::text, 'total'::text]))),
  constraint budgets_share_check CHECK ((share = ANY (ARRAY['pool'::text, 'each'::text]))),
  constraint budgets_subject_type_check CHECK ((subject_type = ANY (ARRAY['user'::text, 'group'::text, 'agent'::text, 'run'::text]))),
  constraint budgets_unit_check CHECK ((unit = ANY (ARRAY['tokens'::text, 'money'::text])))
);

create table core.canvas_versions (
  canvas_id uuid not null,
  version integer not null,
  content text not null,
  created_by text not null,
  created_at timestamp with time zone not null default now(),
  message_id uuid,
  constraint canvas_versions_pkey PRIMARY KEY (canvas_id, version),
  constraint canvas_versions_canvas_id_fkey FOREIGN KEY (canvas_id) REFERENCES core.canvases(id) ON DELETE CASCADE,
  constraint canvas_versions_message_id_fkey FOREIGN KEY (message_id) REFERENCES core.messages(id) ON DELETE SET NULL
);
CREATE INDEX canvas_versions_of_message ON core.canvas_versions USING btree (message_id) WHERE (message_id IS NOT NULL);

create table core.canvases (
  id uuid not null,
  user_id text not null,
  client_id text not null,
  conversation_id uuid,
  title text not null,
  type text not null,
  language text,
  version integer not null default 1,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  bytes bigint not null default 0,
  constraint canvases_pkey PRIMARY KEY (id),
  constraint canvases_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES core.conversations(id) ON DELETE SET NULL,
  constraint canvases_type_check CHECK ((type = ANY (ARRAY['markdown'::text, 'code'::text, 'html'::text])))
);
CREATE INDEX canvases_deleted ON core.canvases USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX canvases_in_trash_of_user ON core.canvases USING btree (user_id) WHERE (deleted_at IS NOT NULL);
CREATE INDEX canvases_of_conversation ON core.canvases USING btree (conversation_id);
CREATE INDEX canvases_of_user ON core.canvases USING btree (user_id, updated_at DESC) WHERE (deleted_at IS NULL);

create table core.code_sessions (
  conversation_id uuid not null,
  user_id text not null,
  language text not null,
  session_id uuid not null,
  constraint code_sessions_pkey PRIMARY KEY (conversation_id, user_id, language),
  constraint code_sessions_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES core.conversations(id) ON DELETE CASCADE
);
CREATE INDEX code_sessions_of_user ON core.code_sessions USING btree (user_id);

create table core.conversation_files (
  id uuid not null,
  conversation_id uuid not null,
  name text not null,
  media_type text not null,
  size bigint not null,
  sha256 text not null,
  storage_key text not null,
  created_at timestamp with time zone not null default now(),
  constraint conversation_files_pkey PRIMARY KEY (id),
  constraint conversation_files_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES core.conversations(id) ON DELETE CASCADE
);
CREATE INDEX files_of_conversation ON core.conversation_files USING btree (conversation_id, created_at DESC, id);

create table core.conversation_tags (
  conversation_id uuid not null,
  tag_id uuid not null,
  constraint conversation_tags_pkey PRIMARY KEY (conversation_id, tag_id),
  constraint conversation_tags_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES core.conversations(id) ON DELETE CASCADE,
  constraint conversation_tags_tag_id_fkey FOREIGN KEY (tag_id) REFERENCES core.tags(id) ON DELETE CASCADE
);
CREATE INDEX conversations_with_tag ON core.conversation_tags USING btree (tag_id);

create table core.conversations (
  id uuid not null,
  user_id text not null,
  client_id text not null default 'default'::text,
  title text not null default ''::text,
  pinned boolean not null default false,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  agent_id uuid,
  registered boolean not null default false,
  documents jsonb not null default '[]'::jsonb,
  search tsvector generated always as (to_tsvector('simple'::regconfig, core.fold_text(title))) stored,
  bytes bigint not null default 0,
  constraint conversations_pkey PRIMARY KEY (id)
);
CREATE INDEX conversations_deleted ON core.conversations USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX conversations_in_trash_of_user ON core.conversations USING btree (user_id) WHERE (deleted_at IS NOT NULL);
CREATE INDEX conversations_of_user ON core.conversations USING btree (user_id, updated_at DESC) WHERE (deleted_at IS NULL);
CREATE INDEX conversations_search ON core.conversations USING gin (search) WITH (gin_pending_list_limit='128');
CREATE INDEX conversations_sizes_of_user ON core.conversations USING btree (user_id) INCLUDE (bytes);
CREATE INDEX conversations_unregistered ON core.conversations USING btree (id) WHERE (NOT registered);

create table core.conversions (
  id uuid not null,
  user_id text not null,
  type text not null,
  input text not null,
  output text not null default ''::text,
  target_language text,
  options jsonb not null,
  status text not null,
  model text not null,
  error jsonb,
  lease_until timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint conversions_pkey PRIMARY KEY (id),
  constraint conversions_status_check CHECK ((status = ANY (ARRAY['running'::text, 'complete'::text, 'stopped'::text, 'failed'::text]))),
  constraint conversions_type_check CHECK ((type = ANY (ARRAY['grammar'::text, 'translation'::text, 'summarisation'::text])))
);
CREATE INDEX conversions_of_user ON core.conversions USING btree (user_id, created_at DESC);
CREATE INDEX conversions_running ON core.conversions USING btree (lease_until) WHERE (status = 'running'::text);

create table core.file_removals (
  storage_key text not null,
  due_at timestamp with time zone not null default now(),
  constraint file_removals_pkey PRIMARY KEY (storage_key)
);
CREATE INDEX file_removals_due ON core.file_removals USING btree (due_at);

create table core.idempotency_keys (
  user_id text not null,
  key text not null,
  body_hash text not null,
  message_id uuid not null,
  created_at timestamp with time zone not null default now(),
  constraint idempotency_keys_pkey PRIMARY KEY (user_id, key),
  constraint idempotency_keys_message_id_fkey FOREIGN KEY (message_id) REFERENCES core.messages(id) ON DELETE CASCADE
);
CREATE INDEX idempotency_keys_by_age ON core.idempotency_keys USING btree (created_at);
CREATE INDEX idempotency_keys_of_message ON core.idempotency_keys USING btree (message_id);

create table core.mcp_servers (
  name text not null,
  url text not null,
  settings jsonb not null default '{}'::jsonb,
  headers text,
  enabled boolean not null default true,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  client_secret text,
  position integer not null,
  constraint mcp_servers_pkey PRIMARY KEY (name)
);

create table core.message_files (
  message_id uuid not null,
  file_id uuid not null,
  position integer not null,
  file_name text not null,
  mime_type text not null,
  size bigint not null,
  constraint message_files_pkey PRIMARY KEY (message_id, file_id),
  constraint message_files_message_id_fkey FOREIGN KEY (message_id) REFERENCES core.messages(id) ON DELETE CASCADE
);
CREATE INDEX message_files_of_file ON core.message_files USING btree (file_id);

create table core.message_reactions (
  message_id uuid not null,
  user_id text not null,
  reaction text not null,
  comment text,
  created_at timestamp with time zone not null default now(),
  reasons text[] not null default '{}'::text[],
  client_id text not null,
  model text,
  agent_id uuid,
  constraint message_reactions_pkey PRIMARY KEY (message_id, user_id),
  constraint message_reactions_message_id_fkey FOREIGN KEY (message_id) REFERENCES core.messages(id) ON DELETE CASCADE,
  constraint message_reactions_reaction_check CHECK ((reaction = ANY (ARRAY['like'::text, 'dislike'::text])))
);
CREATE INDEX message_reactions_of_client ON core.message_reactions USING btree (client_id, created_at DESC, message_id DESC, user_id DESC);
CREATE INDEX message_reactions_of_user ON core.message_reactions USING btree (user_id);

create table core.messages (
  id uuid not null,
  conversation_id uuid not null,
  parent_id uuid,
  role text not null,
  content text not null default ''::text,
  status text not null,
  model text,
  tool_calls jsonb not null default '[]'::jsonb,
  history jsonb not null default '[]'::jsonb,
  request jsonb,
  waiting jsonb not null default '[]'::jsonb,
  usage jsonb,
  finish_reason text,
  error jsonb,
  run integer not null default 1,
  lease_until timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  agent_id uuid,
  agent_version integer,
  summary text,
  sources jsonb not null default '[]'::jsonb,
  asked_by text,
  reasoning text not null default ''::text,
  search tsvector generated always as (
CASE
    WHEN (status <> 'streaming'::text) THEN strip(to_tsvector('simple'::regconfig, core.fold_text("left"(content, 200000))))
    ELSE NULL::tsvector
END) stored,
  not_found jsonb,
  warnings jsonb,
  labels jsonb,
  answered_by jsonb,
  constraint messages_pkey PRIMARY KEY (id),
  constraint messages_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES core.conversations(id) ON DELETE CASCADE,
  constraint messages_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES core.messages(id) ON DELETE CASCADE,
  constraint messages_role_check CHECK ((role = ANY (ARRAY['user'::text, 'assistant'::text]))),
  constraint messages_status_check CHECK ((status = ANY (ARRAY['streaming'::text, 'complete'::text, 'stopped'::text, 'failed'::text])))
);
CREATE INDEX messages_of_conversation ON core.messages USING btree (conversation_id, created_at, id);
CREATE INDEX messages_of_parent ON core.messages USING btree (parent_id) WHERE (parent_id IS NOT NULL);
CREATE INDEX messages_search ON core.messages USING gin (search) WITH (gin_pending_list_limit='128');
CREATE INDEX messages_streaming ON core.messages USING btree (asked_by) WHERE (status = 'streaming'::text);
CREATE INDEX messages_waiting ON core.messages USING btree (conversation_id) WHERE (finish_reason = 'approval'::text);

create table core.model_fallbacks (
  available_model_id text not null,
  position smallint not null,
  fallback_id text not null,
  constraint model_fallbacks_pkey PRIMARY KEY (available_model_id, "position"),
  constraint model_fallbacks_available_model_id_fallback_id_key UNIQUE (available_model_id, fallback_id),
  constraint model_fallbacks_available_model_id_fkey FOREIGN KEY (available_model_id) REFERENCES core.available_models(id) ON DELETE CASCADE,
  constraint model_fallbacks_fallback_id_fkey FOREIGN KEY (fallback_id) REFERENCES core.available_models(id) ON DELETE CASCADE
);
CREATE INDEX model_fallbacks_of_fallback ON core.model_fallbacks USING btree (fallback_id);

create table core.model_providers (
  name text not null,
  display_name text not null,
  kind text not null,
  enabled boolean not null default true,
  config jsonb not null default '{}'::jsonb,
  from_environment boolean not null default false,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  available boolean not null default true,
  constraint model_providers_pkey PRIMARY KEY (name)
);

create table core.model_transactions (
  id uuid not null,
  provider text not null,
  model text not null,
  user_id text,
  conversation_id text,
  input_tokens integer not null,
  output_tokens integer not null,
  cached_input_tokens integer,
  estimated boolean not null default false,
  duration_ms integer not null,
  finish_reason text not null,
  created_at timestamp with time zone not null,
  agent_id text,
  cost numeric(20,10),
  currency text,
  images integer,
  seconds double precision,
  characters integer,
  cache_write_input_tokens integer,
  constraint model_transactions_pkey PRIMARY KEY (id)
);
CREATE INDEX model_transactions_by_time ON core.model_transactions USING btree (created_at);
CREATE INDEX model_transactions_of_agent ON core.model_transactions USING btree (agent_id, created_at) WHERE (agent_id IS NOT NULL);
CREATE INDEX model_transactions_of_user ON core.model_transactions USING btree (user_id, created_at);

create table core.models (
  id text not null,
  name text not null,
  kind text not null,
  context_window integer,
  max_output_tokens integer,
  dimensions integer,
  capabilities jsonb not null,
  enabled boolean not null default true,
  created_at timestamp with time zone not null default now(),
  query_prefix text,
  passage_prefix text,
  constraint models_pkey PRIMARY KEY (id),
  constraint models_kind_check CHECK ((kind = ANY (ARRAY['completion'::text, 'embedding'::text, 'image'::text, 'speech'::text, 'transcription'::text, 'moderation'::text])))
);

create table core.provider_calls (
  provider text not null,
  hour timestamp with time zone not null,
  outcome text not null,
  source uuid not null,
  calls bigint not null,
  begun bigint not null,
  first_token_ms bigint not null,
  last_at timestamp with time zone not null,
  last_failure jsonb,
  constraint provider_calls_pkey PRIMARY KEY (provider, hour, outcome, source),
  constraint provider_calls_provider_fkey FOREIGN KEY (provider) REFERENCES core.model_providers(name) ON DELETE CASCADE
);
CREATE INDEX provider_calls_by_hour ON core.provider_calls USING btree (hour);

create table core.released_files (
  file_id uuid not null,
  constraint released_files_pkey PRIMARY KEY (file_id)
);

create table core.research (
  message_id uuid not null,
  steps jsonb not null,
  budget jsonb not null,
  searches integer not null default 0,
  pages integer not null default 0,
  unread jsonb not null default '[]'::jsonb,
  running timestamp with time zone[] not null default '{}'::timestamp with time zone[],
  constraint research_pkey PRIMARY KEY (message_id),
  constraint research_message_id_fkey FOREIGN KEY (message_id) REFERENCES core.messages(id) ON DELETE CASCADE
);

create table core.responses (
  id uuid not null,
  user_id text not null,
  previous_id uuid,
  input jsonb not null,
  output jsonb not null,
  head jsonb not null,
  bytes integer not null,
  created_at timestamp with time zone not null default now(),
  labels uuid[] not null default '{}'::uuid[],
  running_until timestamp with time zone,
  constraint responses_pkey PRIMARY KEY (id)
);
CREATE INDEX responses_by_age ON core.responses USING btree (created_at);
CREATE INDEX responses_of_user ON core.responses USING btree (user_id, created_at DESC, id DESC) INCLUDE (bytes);
CREATE INDEX responses_running ON core.responses USING btree (user_id) WHERE (running_until IS NOT NULL);

create table core.search_engines (
  id uuid not null,
  kind text not null,
  name text not null,
  enabled boolean not null default true,
  config jsonb not null,
  position integer not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint search_engines_pkey PRIMARY KEY (id)
);

create table core.tags (
  id uuid not null,
  user_id text not null,
  name text not null,
  constraint tags_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX one_tag_per_name ON core.tags USING btree (user_id, lower(name));

create table core.task_receivers (
  message_id uuid not null,
  id text not null,
  url text not null,
  scheme text,
  secrets text,
  version text not null,
  notified_run integer not null default 0,
  tries integer not null default 0,
  next_at timestamp with time zone not null default now(),
  created_at timestamp with time zone not null default now(),
  constraint task_receivers_pkey PRIMARY KEY (message_id, id),
  constraint task_receivers_message_id_fkey FOREIGN KEY (message_id) REFERENCES core.messages(id) ON DELETE CASCADE
);
CREATE INDEX task_receivers_due ON core.task_receivers USING btree (next_at);

create table core.templates (
  id uuid not null,
  name text not null,
  description text not null,
  content text not null,
  variables jsonb not null,
  language text not null,
  built_in boolean not null default false,
  enabled boolean not null default true,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  owner_id text,
  constraint templates_pkey PRIMARY KEY (id)
);
CREATE INDEX templates_by_name ON core.templates USING btree (lower(name), id);
CREATE INDEX templates_of_owner ON core.templates USING btree (owner_id) WHERE (owner_id IS NOT NULL);

create table core.tool_sessions (
  id uuid not null,
  user_id text not null,
  definition jsonb not null,
  sources jsonb not null,
  created_at timestamp with time zone not null default now(),
  labels jsonb not null default '[]'::jsonb,
  constraint tool_sessions_pkey PRIMARY KEY (id)
);
CREATE INDEX tool_sessions_by_age ON core.tool_sessions USING btree (created_at);
CREATE INDEX tool_sessions_of_user ON core.tool_sessions USING btree (user_id);

create table core.view_contexts (
  conversation_id uuid not null,
  tool_call_id text not null,
  server text not null,
  content text not null,
  updated_at timestamp with time zone not null default now(),
  user_id text not null,
  constraint view_contexts_pkey PRIMARY KEY (conversation_id, user_id, tool_call_id),
  constraint view_contexts_conversation_id_fkey FOREIGN KEY (conversation_id) REFERENCES core.conversations(id) ON DELETE CASCADE
);
CREATE INDEX view_contexts_of_user ON core.view_contexts USING btree (user_id);

CREATE OR REPLACE FUNCTION core.fold_text(value text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select case when octet_length(value) = char_length(value) then lower(value)
  else replace(replace(replace(replace(
    lower(normalize(regexp_replace(
      normalize(translate(value, 'ẞØøĐđÐðŁłĦħıÆŒÞ', 'ßooddddllhhiæœþ'), nfd),
      '[\u0300-\u036f]', '', 'g'), nfc)),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
  end
$function$
;

CREATE OR REPLACE FUNCTION core.release_file()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into core.released_files (file_id) values (old.file_id) on conflict do nothing;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION core.remove_file()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into core.file_removals (storage_key) values (old.storage_key) on conflict do nothing;
  return null;
end $function$
;
