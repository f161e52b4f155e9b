-- The tables of the schema users after all migrations. Made by `npm run schema-sql`.

create table users.api_keys (
  id uuid not null,
  user_id uuid not null,
  name text not null,
  hash text not null,
  scopes text[],
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  tools text[],
  constraint api_keys_pkey PRIMARY KEY (id),
  constraint api_keys_hash_key UNIQUE (hash),
  constraint api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users.users(id) ON DELETE CASCADE
);
CREATE INDEX api_keys_of_user ON users.api_keys USING btree (user_id, created_at);

create table users.audit_events (
  id uuid not null,
  at timestamp with time zone not null default now(),
  actor_id text not null,
  action text not null,
  resource_type text not null,
  resource_id text not null,
  details jsonb not null default '{}'::jsonb,
  request_id text,
  client_id text not null default 'default'::text,
  constraint audit_events_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_by_actor ON users.audit_events USING btree (actor_id, at DESC);
CREATE INDEX audit_by_resource ON users.audit_events USING btree (resource_type, resource_id, at DESC);
CREATE INDEX audit_by_time ON users.audit_events USING btree (at DESC, id DESC);
CREATE INDEX audit_of_client ON users.audit_events USING btree (client_id, at DESC, id DESC);

create table users.branding (
  id boolean not null default true,
  name text,
  accent text,
  notice text,
  notice_until timestamp with time zone,
  logo bytea,
  logo_type text,
  updated_at timestamp with time zone not null default now(),
  constraint branding_pkey PRIMARY KEY (id),
  constraint branding_check CHECK (((logo IS NULL) = (logo_type IS NULL))),
  constraint branding_id_check CHECK (id)
);

create table users.deletion_parts (
  user_id text not null,
  service text not null,
  state text not null,
  attempt integer not null default 0,
  error text,
  at timestamp with time zone not null default now(),
  constraint deletion_parts_pkey PRIMARY KEY (user_id, service),
  constraint deletion_parts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users.deletions(user_id) ON DELETE CASCADE,
  constraint deletion_parts_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'failed'::text, 'done'::text])))
);
CREATE INDEX deletion_parts_open ON users.deletion_parts USING btree (user_id) WHERE (state <> 'done'::text);

create table users.deletions (
  user_id text not null,
  transfer_to text,
  at timestamp with time zone not null default now(),
  client_id text not null default 'default'::text,
  constraint deletions_pkey PRIMARY KEY (user_id)
);
CREATE INDEX deletions_of_client ON users.deletions USING btree (client_id, at DESC, user_id);

create table users.feature_labels (
  feature_id uuid not null,
  label_id uuid not null,
  carried boolean not null default false,
  constraint feature_labels_pkey PRIMARY KEY (feature_id, label_id),
  constraint feature_labels_feature_id_fkey FOREIGN KEY (feature_id) REFERENCES users.features(id) ON DELETE CASCADE,
  constraint feature_labels_label_id_fkey FOREIGN KEY (label_id) REFERENCES users.labels(id) ON DELETE CASCADE
);
CREATE INDEX features_of_label ON users.feature_labels USING btree (label_id);

create table users.features (
  id uuid not null,
  type text not null,
  resource_id text not null,
  owner_id text not null,
  client_id text not null default 'default'::text,
  parent_id uuid,
  ancestors uuid[] not null,
  lock_token bigint not null default 0,
  created_at timestamp with time zone not null default now(),
  constraint features_pkey PRIMARY KEY (id),
  constraint one_feature_per_resource UNIQUE (type, resource_id),
  constraint features_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES users.features(id) ON DELETE SET NULL,
  constraint features_type_check CHECK ((type = ANY (ARRAY['conversation'::text, 'folder'::text, 'document'::text, 'agent'::text, 'template'::text])))
);
CREATE INDEX features_below ON users.features USING gin (ancestors);
CREATE INDEX features_by_resource ON users.features USING hash (resource_id);
CREATE INDEX features_in_folder ON users.features USING btree (parent_id) WHERE (parent_id IS NOT NULL);
CREATE INDEX features_of_owner ON users.features USING btree (owner_id, id);
CREATE INDEX folders_of_owner ON users.features USING btree (owner_id, id) WHERE (type = 'folder'::text);

create table users.flow_accounts (
  user_id text not null,
  username text not null,
  password text not null,
  api_key text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint flow_accounts_pkey PRIMARY KEY (user_id)
);

create table users.group_closure (
  descendant_id uuid not null,
  ancestor_id uuid not null,
  constraint group_closure_pkey PRIMARY KEY (descendant_id, ancestor_id),
  constraint group_closure_ancestor_id_fkey FOREIGN KEY (ancestor_id) REFERENCES users.groups(id) ON DELETE CASCADE,
  constraint group_closure_descendant_id_fkey FOREIGN KEY (descendant_id) REFERENCES users.groups(id) ON DELETE CASCADE
);
CREATE INDEX groups_below ON users.group_closure USING btree (ancestor_id);

create table users.group_groups (
  parent_id uuid not null,
  child_id uuid not null,
  constraint group_groups_pkey PRIMARY KEY (parent_id, child_id),
  constraint group_groups_child_id_fkey FOREIGN KEY (child_id) REFERENCES users.groups(id) ON DELETE CASCADE,
  constraint group_groups_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES users.groups(id) ON DELETE CASCADE
);
CREATE INDEX parents_of_group ON users.group_groups USING btree (child_id);

create table users.group_members (
  group_id uuid not null,
  user_id text not null,
  constraint group_members_pkey PRIMARY KEY (group_id, user_id),
  constraint group_members_group_id_fkey FOREIGN KEY (group_id) REFERENCES users.groups(id) ON DELETE CASCADE
);
CREATE INDEX groups_of_member ON users.group_members USING btree (user_id);

create table users.groups (
  id uuid not null,
  client_id text not null default 'default'::text,
  name text not null,
  description text not null default ''::text,
  external_name text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  roles text[] not null default '{}'::text[],
  external_id text,
  constraint groups_pkey PRIMARY KEY (id)
);
CREATE INDEX groups_by_external_id ON users.groups USING btree (client_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX groups_of_provider ON users.groups USING btree (external_name) WHERE (external_name IS NOT NULL);
CREATE INDEX groups_with_roles ON users.groups USING btree (client_id) WHERE (roles <> '{}'::text[]);
CREATE UNIQUE INDEX one_group_per_name ON users.groups USING btree (client_id, lower(name));

create table users.identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null,
  groups text[] not null default '{}'::text[],
  created_at timestamp with time zone not null default now(),
  last_sign_in_at timestamp with time zone not null default now(),
  constraint identities_pkey PRIMARY KEY (issuer, subject),
  constraint identities_user_id_issuer_key UNIQUE (user_id, issuer),
  constraint identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users.users(id) ON DELETE CASCADE
);
CREATE INDEX identities_of_user ON users.identities USING btree (((user_id)::text));

create table users.known_users (
  id text not null,
  client_id text not null,
  email text not null,
  name text not null,
  state text not null default 'active'::text,
  is_external boolean not null default false,
  created_at timestamp with time zone not null default now(),
  search_text text not null generated always as (((users.fold_text(name) || '
'::text) || users.fold_text(email))) stored,
  roles text[] not null default '{}'::text[],
  token_at timestamp with time zone not null default now(),
  notices_read_at timestamp with time zone not null default now(),
  constraint known_users_pkey PRIMARY KEY (id),
  constraint known_users_state_check CHECK ((state = ANY (ARRAY['active'::text, 'disabled'::text, 'deleted'::text])))
);
CREATE INDEX known_users_of_client ON users.known_users USING btree (client_id);

create table users.labels (
  id uuid not null,
  client_id text not null,
  name text not null,
  description text not null default ''::text,
  color text not null default 'plain'::text,
  providers text[],
  open_world text not null,
  sharing uuid[],
  removal text not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint labels_pkey PRIMARY KEY (id),
  constraint labels_open_world_check CHECK ((open_world = ANY (ARRAY['allowed'::text, 'ask'::text, 'refused'::text]))),
  constraint labels_removal_check CHECK ((removal = ANY (ARRAY['owners'::text, 'administrators'::text])))
);
CREATE UNIQUE INDEX one_label_per_name ON users.labels USING btree (client_id, lower(name));

create table users.links (
  feature_id uuid not null,
  enabled boolean not null,
  access_level text not null,
  expires_at timestamp with time zone,
  allowed_users text[],
  updated_at timestamp with time zone not null default now(),
  constraint links_pkey PRIMARY KEY (feature_id),
  constraint links_feature_id_fkey FOREIGN KEY (feature_id) REFERENCES users.features(id) ON DELETE CASCADE,
  constraint links_access_level_check CHECK ((access_level = ANY (ARRAY['viewer'::text, 'commenter'::text, 'editor'::text])))
);

create table users.locks (
  feature_id uuid not null,
  user_id text not null,
  token bigint not null,
  acquired_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint locks_pkey PRIMARY KEY (feature_id),
  constraint locks_feature_id_fkey FOREIGN KEY (feature_id) REFERENCES users.features(id) ON DELETE CASCADE
);
CREATE INDEX locks_by_expiry ON users.locks USING btree (expires_at);
CREATE INDEX locks_of_user ON users.locks USING btree (user_id);

create table users.marks (
  user_id text not null,
  kind text not null,
  resource_type text not null,
  resource_id text not null,
  created_at timestamp with time zone not null default now(),
  constraint marks_pkey PRIMARY KEY (user_id, kind, resource_type, resource_id),
  constraint marks_kind_check CHECK ((kind = ANY (ARRAY['pin'::text, 'favorite'::text])))
);
CREATE INDEX marks_by_time ON users.marks USING btree (user_id, kind, created_at DESC);

create table users.mcp_clients (
  id text not null,
  name text not null,
  redirect_uris text[] not null,
  registered_at timestamp with time zone not null default now(),
  used_at timestamp with time zone not null default now(),
  network text not null default ''::text,
  site text not null default ''::text,
  constraint mcp_clients_pkey PRIMARY KEY (id)
);
CREATE INDEX mcp_clients_network ON users.mcp_clients USING btree (network, used_at);
CREATE INDEX mcp_clients_site ON users.mcp_clients USING btree (site, used_at);
CREATE INDEX mcp_clients_used ON users.mcp_clients USING btree (used_at);

create table users.mcp_codes (
  hash text not null,
  user_id uuid not null,
  client_id text not null,
  client_name text not null,
  redirect_uri text not null,
  challenge text not null,
  scopes text[] not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  grant_id uuid,
  tools text[],
  constraint mcp_codes_pkey PRIMARY KEY (hash),
  constraint mcp_codes_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES users.mcp_grants(id) ON DELETE SET NULL,
  constraint mcp_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users.users(id) ON DELETE CASCADE
);
CREATE INDEX mcp_codes_expires ON users.mcp_codes USING btree (expires_at);
CREATE INDEX mcp_codes_grant ON users.mcp_codes USING btree (grant_id);
CREATE INDEX mcp_codes_user ON users.mcp_codes USING btree (user_id);

create table users.mcp_grants (
  id uuid not null,
  user_id uuid not null,
  client_id text not null,
  client_name text not null,
  redirect_host text not null,
  scopes text[] not null,
  created_at timestamp with time zone not null default now(),
  last_used_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  family_hash text,
  client_key text not null generated always as (md5(
CASE
    WHEN (client_id ~~ 'https://%'::text) THEN client_id
    ELSE ((client_name || ' '::text) || regexp_replace(redirect_host, ':[0-9]+$'::text, ''::text))
END)) stored,
  tools text[],
  constraint mcp_grants_pkey PRIMARY KEY (id),
  constraint mcp_grants_user_id_fkey FOREIGN KEY (user_id) REFERENCES users.users(id) ON DELETE CASCADE
);
CREATE INDEX mcp_grants_client ON users.mcp_grants USING btree (client_id);
CREATE INDEX mcp_grants_expires ON users.mcp_grants USING btree (expires_at);
CREATE UNIQUE INDEX mcp_grants_family ON users.mcp_grants USING btree (family_hash);
CREATE INDEX mcp_grants_newest ON users.mcp_grants USING btree (created_at DESC, id DESC);
CREATE INDEX mcp_grants_of_client ON users.mcp_grants USING btree (user_id, client_key, created_at DESC, id DESC) INCLUDE (expires_at);
CREATE INDEX mcp_grants_user ON users.mcp_grants USING btree (user_id, created_at);

create table users.mcp_tokens (
  hash text not null,
  grant_id uuid not null,
  kind text not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint mcp_tokens_pkey PRIMARY KEY (hash),
  constraint mcp_tokens_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES users.mcp_grants(id) ON DELETE CASCADE,
  constraint mcp_tokens_kind_check CHECK ((kind = ANY (ARRAY['access'::text, 'refresh'::text])))
);
CREATE INDEX mcp_tokens_grant ON users.mcp_tokens USING btree (grant_id);

create table users.preferences (
  user_id text not null,
  value jsonb not null,
  updated_at timestamp with time zone not null default now(),
  constraint preferences_pkey PRIMARY KEY (user_id)
);

create table users.refresh_tokens (
  hash text not null,
  session_id uuid not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint refresh_tokens_pkey PRIMARY KEY (hash),
  constraint refresh_tokens_session_id_fkey FOREIGN KEY (session_id) REFERENCES users.sessions(id) ON DELETE CASCADE
);
CREATE INDEX refresh_tokens_of_session ON users.refresh_tokens USING btree (session_id);

create table users.revocations (
  kind text not null,
  id text not null,
  revoked boolean not null default true,
  expires_at timestamp with time zone,
  position bigint,
  constraint revocations_pkey PRIMARY KEY (kind, id),
  constraint revocations_kind_check CHECK ((kind = ANY (ARRAY['session'::text, 'user'::text, 'roles'::text])))
);
CREATE INDEX revocations_expired ON users.revocations USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX revocations_in_order ON users.revocations USING btree ("position");

create table users.roles (
  name text not null,
  description text not null default ''::text,
  permissions jsonb not null default '[]'::jsonb,
  built_in boolean not null default false,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  constraint roles_pkey PRIMARY KEY (name)
);

create table users.scim_tokens (
  id uuid not null,
  client_id text not null,
  name text not null,
  hash text not null,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  revoked_at timestamp with time zone,
  created_by text not null,
  constraint scim_tokens_pkey PRIMARY KEY (id),
  constraint scim_tokens_hash_key UNIQUE (hash)
);
CREATE INDEX scim_tokens_of_client ON users.scim_tokens USING btree (client_id, created_at) WHERE (revoked_at IS NULL);

create table users.sessions (
  id uuid not null,
  user_id uuid not null,
  created_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  user_agent text not null default ''::text,
  last_used_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null default (now() + '30 days'::interval),
  cookie_hash text,
  confirmed_at timestamp with time zone,
  provider text,
  provider_session text,
  constraint sessions_pkey PRIMARY KEY (id),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users.users(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX session_of_cookie ON users.sessions USING btree (cookie_hash) WHERE (cookie_hash IS NOT NULL);
CREATE INDEX sessions_of_provider ON users.sessions USING btree (provider, provider_session) WHERE ((provider_session IS NOT NULL) AND (ended_at IS NULL));
CREATE INDEX sessions_of_user ON users.sessions USING btree (user_id);

create table users.shares (
  id uuid not null,
  feature_id uuid not null,
  subject_type text not null,
  subject_id text not null,
  subject text not null generated always as (((subject_type || ':'::text) || subject_id)) stored,
  access_role text not null,
  granted_by_user_id text not null,
  created_at timestamp with time zone not null default now(),
  revoked_at timestamp with time zone,
  constraint shares_pkey PRIMARY KEY (id),
  constraint shares_feature_id_fkey FOREIGN KEY (feature_id) REFERENCES users.features(id) ON DELETE CASCADE,
  constraint shares_access_role_check CHECK ((access_role = ANY (ARRAY['viewer'::text, 'commenter'::text, 'editor'::text, 'owner'::text]))),
  constraint shares_subject_type_check CHECK ((subject_type = ANY (ARRAY['user'::text, 'group'::text])))
);
CREATE UNIQUE INDEX one_active_share ON users.shares USING btree (feature_id, subject) WHERE (revoked_at IS NULL);
CREATE INDEX shares_granted_by ON users.shares USING btree (granted_by_user_id);
CREATE INDEX shares_of_feature ON users.shares USING hash (feature_id);
CREATE INDEX shares_of_subject ON users.shares USING btree (subject, feature_id) INCLUDE (access_role) WHERE (revoked_at IS NULL);

create table users.signing_keys (
  id text not null,
  public_jwk jsonb not null,
  private_key text not null,
  created_at timestamp with time zone not null default now(),
  constraint signing_keys_pkey PRIMARY KEY (id)
);

create table users.tags (
  user_id text not null,
  resource_type text not null,
  resource_id text not null,
  tag text not null,
  constraint tags_pkey PRIMARY KEY (user_id, resource_type, resource_id, tag)
);
CREATE INDEX resources_of_tag ON users.tags USING btree (user_id, tag);

create table users.trees (
  name text not null,
  constraint trees_pkey PRIMARY KEY (name)
);

create table users.users (
  id uuid not null,
  email text not null,
  name text not null,
  password_hash text,
  roles text[] not null default '{user}'::text[],
  client_id text not null default 'default'::text,
  disabled boolean not null default false,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  session_epoch integer not null default 0,
  has_initial_password boolean not null default false,
  search_text text not null generated always as (((users.fold_text(name) || '
'::text) || users.fold_text(email))) stored,
  awaits_first_sign_in boolean not null default false,
  password_is_temporary boolean not null default false,
  user_name text,
  external_id text,
  scim jsonb,
  signed_up boolean not null default false,
  constraint users_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX one_user_per_email ON users.users USING btree (lower(email));
CREATE UNIQUE INDEX one_user_per_user_name ON users.users USING btree (client_id, lower(COALESCE(user_name, email)));
CREATE INDEX users_by_external_id ON users.users USING btree (client_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX users_with_initial_password ON users.users USING btree (id) WHERE has_initial_password;

create view users.effective_memberships as
 SELECT membership.user_id,
    closure.ancestor_id AS group_id
   FROM (users.memberships membership
     JOIN users.group_closure closure ON ((closure.descendant_id = membership.group_id)));

create view users.memberships as
 SELECT group_members.user_id,
    group_members.group_id,
    'added'::text AS kind
   FROM users.group_members
UNION ALL
 SELECT person.id AS user_id,
    groups.id AS group_id,
    'identity-provider'::text AS kind
   FROM ((users.known_users person
     JOIN users.identities ON (((identities.user_id)::text = person.id)))
     JOIN users.groups ON (((groups.external_name = ANY (identities.groups)) AND (groups.client_id = person.client_id))));

CREATE OR REPLACE FUNCTION users.decide_access_of_many(who text, types text[], ids text[])
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET jit TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
 SET enable_bitmapscan TO 'off'
AS $function$
declare
  tenant text;
  -- each resource with each folder above it and itself: `places[n]` is or lies in `above[n]`
  places int[];
  above uuid[];
  -- what the user is granted: `granted_ranks[n]` on `granted[n]`
  granted uuid[];
  granted_ranks int[];
begin
  select client_id into tenant from users.known_users where id = who;
  select array_agg(place), array_agg(feature) into places, above from (
    select asked.place::int as place, unnest(feature.ancestors) as feature
    from unnest(types, ids) with ordinality as asked (type, resource_id, place)
    join users.features feature on feature.resource_id = asked.resource_id and feature.type = asked.type
      and feature.client_id = tenant
  ) found;
  select array_agg(feature_id), array_agg(rank) into granted, granted_ranks from users.grants(who)
    where feature_id = any(above);
  return users.strongest(places, above, granted, granted_ranks);
end $function$
;

CREATE OR REPLACE FUNCTION users.fold_text(value text)
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

CREATE OR REPLACE FUNCTION users.grants(who text)
 RETURNS TABLE(feature_id uuid, client_id text, kind text, rank integer, share_id uuid, is_own_folder boolean)
 LANGUAGE sql
 STABLE
AS $function$
  select given.feature_id, person.client_id, given.kind,
    array_position('{viewer,commenter,editor,owner}'::text[], given.role), given.share_id, given.is_own_folder
  from users.known_users person
  cross join (
    select id as feature_id, 'owner' as kind, 'owner' as role, null::uuid as share_id, true as is_own_folder
      from users.features where type = 'folder' and owner_id = who
    union all
    select id, 'owner', 'owner', null, false
      from users.features where type <> 'folder' and owner_id = who
    union all
    select feature_id, subject_type, access_role, id, false
      from users.shares where revoked_at is null and subject = any(array(
        select 'user:' || who
        union all
        select 'group:' || group_id from users.effective_memberships where user_id = who))
    union all
    select feature_id, 'link', access_level, null, false
      from users.links where enabled and (expires_at is null or expires_at > now())
        and (allowed_users is null or who = any(allowed_users))
  ) given
  where person.id = who and person.state = 'active'
$function$
;

CREATE OR REPLACE FUNCTION users.grants_on(who text, resource_type text, resource_id text)
 RETURNS TABLE(feature_id uuid, kind text, rank integer, share_id uuid)
 LANGUAGE sql
 STABLE
AS $function$
  with resource as (
    select ancestors, client_id from users.features
      where features.type = grants_on.resource_type and features.resource_id = grants_on.resource_id
  )
  select given.feature_id, given.kind, given.rank, given.share_id from users.grants(who) given
    where given.feature_id = any((select ancestors from resource)::uuid[]) and given.client_id = (select client_id from resource)
$function$
;

CREATE OR REPLACE FUNCTION users.know_user()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE' then
    -- who it was is deleted with the user
    update users.known_users set state = 'deleted', email = '', name = '' where id = old.id::text;
    return null;
  end if;
  insert into users.known_users (id, client_id, email, name, state)
    values (new.id::text, new.client_id, new.email, new.name, case when new.disabled then 'disabled' else 'active' end)
    on conflict (id) do update set client_id = excluded.client_id, email = excluded.email, name = excluded.name,
      state = excluded.state, is_external = false;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION users.notify_revocations()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('revocations', '');
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION users.number_revocation()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_advisory_xact_lock(7161, 2);
  update users.revocations set position = nextval('users.revocation_positions') where kind = new.kind and id = new.id;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION users.replace_initial_password()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.has_initial_password := false;
  new.awaits_first_sign_in := false;
  return new;
end $function$
;

CREATE OR REPLACE FUNCTION users.revoke_user()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into users.revocations (kind, id, revoked) values ('user', old.id::text, tg_op = 'DELETE' or new.disabled)
    on conflict (kind, id) do update set revoked = excluded.revoked;
  return null;
end $function$
;

CREATE OR REPLACE FUNCTION users.roles_of_groups(who text, client text, own text[])
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE
AS $function$
declare
  gained text[];
begin
  if not exists (select from users.groups where client_id = client and roles <> '{}') then
    return '{}';
  end if;
  select array_agg(distinct given) into gained
    from users.effective_memberships membership
      join users.groups on groups.id = membership.group_id and groups.client_id = client
      cross join unnest(groups.roles) given
    where membership.user_id = who;
  if gained is null then
    return '{}';
  end if;
  if not exists (select from users.roles where name = any(own)) then
    gained := array_append(gained, 'user');
  end if;
  return array(select distinct one from unnest(gained) one where one <> all(own) order by one);
end $function$
;

CREATE OR REPLACE FUNCTION users.strongest(places integer[], above uuid[], granted uuid[], granted_ranks integer[])
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE
 SET enable_nestloop TO 'off'
 SET enable_mergejoin TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  return (
    select string_agg(place || ':' || rank, ',') from (
      select lies.place, max(grants.rank) as rank
        from unnest(places, above) as lies (place, feature)
        join unnest(granted, granted_ranks) as grants (feature, rank) on grants.feature = lies.feature
        group by lies.place
    ) decided
  );
end $function$
;
