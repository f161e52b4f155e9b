-- Everybody who may have access to something: users of this service, and users of the organisation's own issuer from their first
-- token on. A user belongs to one tenant; a deleted user stays known as deleted.
create table users.known_users (
  -- `sub` of access tokens
  id text primary key,
  client_id text not null,
  email text not null,
  name text not null,
  state text not null default 'active' check (state in ('active', 'disabled', 'deleted')),
  -- known by tokens of another issuer alone
  is_external boolean not null default false,
  created_at timestamptz not null default now()
);
create index known_users_of_client on users.known_users (client_id);

insert into users.known_users (id, client_id, email, name, state, created_at)
  select id::text, client_id, email, name, case when disabled then 'disabled' else 'active' end, created_at from users.users;

create function users.know_user() returns trigger language plpgsql as $$
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
end $$;
create trigger know_user after insert or update of client_id, email, name, disabled or delete on users.users
  for each row execute function users.know_user();

-- Groups of an identity provider are those of the user's tenant.
create or replace function users.subjects_of(who text, me uuid) returns text[] language plpgsql stable as $$
begin
  return (
    select array_append(array_agg('group:' || closure.ancestor_id), 'user:' || who)
    from users.group_closure closure where closure.descendant_id in (
      select group_id from users.group_members where user_id = who
      union all
      select groups.id from users.identities
        join users.known_users person on person.id = who
        join users.groups on groups.external_name = any(identities.groups) and groups.client_id = person.client_id
        where identities.user_id = me
    )
  );
end $$;

-- The roles of `who` on resources of `types` and `ids`, as `place:rank` with commas: place in the arrays from 1, rank from 1 (viewer) to
-- 4 (owner). What there is no access to is left out: everything for unknown, disabled and deleted users, and whatever is of another
-- tenant. `me` is `who` where it is a UUID. Plans are made once, for whatever number: those for a great one would read whole tables.
create or replace function users.decide_access_of_many(who text, me uuid, types text[], ids text[]) returns text
language plpgsql stable set jit = off set plan_cache_mode = force_generic_plan as $$
declare
  ranks text[] := '{viewer,commenter,editor,owner}';
  subjects text[] := users.subjects_of(who, me);
  tenant text;
  -- each resource with each folder above it and itself: `places[n]` is or lies in `above[n]`
  places int[];
  above uuid[];
  -- resources that the user owns
  own int[];
  -- what the user is granted: `granted_ranks[n]` on `granted[n]`
  granted uuid[];
  granted_ranks int[];
begin
  select client_id into tenant from users.known_users where id = who and state = 'active';
  if tenant is null then return null; end if;

  select array_agg(place), array_agg(feature), array_agg(place) filter (where is_own) into places, above, own from (
    select asked.place::int as place, unnest(feature.ancestors) as feature, feature.owner_id = who as is_own
    from unnest(types, ids) with ordinality as asked (type, resource_id, place)
    join users.features feature on feature.resource_id = asked.resource_id and feature.type = asked.type
      and feature.client_id = tenant
  ) found;

  select array_agg(feature_id), array_agg(rank) into granted, granted_ranks from (
    select feature_id, array_position(ranks, access_role) as rank from users.shares
      where feature_id = any(above) and subject = any(subjects) and revoked_at is null
    union all
    select id, 4 from users.features where owner_id = who and type = 'folder' and id = any(above)
    union all
    select feature_id, array_position(ranks, access_level) from users.links
      where feature_id = any(above) and enabled and (expires_at is null or expires_at > now())
        and (allowed_users is null or who = any(allowed_users))
  ) grants;

  return users.strongest(places, above, own, granted, granted_ranks);
end $$;

-- Whose administrators may read an entry: those of the tenant of whoever acted.
alter table users.audit_events add column client_id text not null default 'default';
update users.audit_events event set client_id = known.client_id
  from users.known_users known where known.id = event.actor_id and known.client_id <> 'default';
create index audit_of_client on users.audit_events (client_id, at desc, id desc);
