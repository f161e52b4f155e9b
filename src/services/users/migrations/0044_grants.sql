-- Who is in which group: added to it, or by what the identity provider said at the last sign-in.
create view users.memberships (user_id, group_id, kind) as
  select user_id, group_id, 'added' from users.group_members
  union all
  select person.id, groups.id, 'identity-provider'
    from users.known_users person
    join users.identities on identities.user_id::text = person.id
    join users.groups on groups.external_name = any(identities.groups) and groups.client_id = person.client_id;
create index identities_of_user on users.identities ((user_id::text));

-- Members of a group are in every group that contains it, too.
create view users.effective_memberships (user_id, group_id) as
  select membership.user_id, closure.ancestor_id
    from users.memberships membership join users.group_closure closure on closure.descendant_id = membership.group_id;

-- Says by itself who owns which of many resources.
create index owners_of_features on users.features (id) include (owner_id) where type <> 'folder';

-- The rule of access: what is granted to `who`, and on what. Every decision, explanation and list
-- reads this. Unknown, disabled and deleted users are granted nothing. A grant reaches its resource
-- and what lies below it (`features.ancestors`) in the tenant `client_id`.
-- SQL without settings becomes a part of the statement that calls it: conditions on `feature_id`
-- use the indexes of the tables.
create function users.grants(who text) returns table (
  feature_id uuid,
  client_id text,
  -- owner, user, group or link
  kind text,
  -- from 1 (viewer) to 4 (owner)
  rank int,
  -- of the kinds user and group
  share_id uuid,
  -- whether it is a folder of the user's own
  is_own_folder boolean
) language sql stable as $$
  select given.feature_id, person.client_id, given.kind,
    array_position('{viewer,commenter,editor,owner}'::text[], given.role), given.share_id, given.is_own_folder
  from users.known_users person
  cross join (
    select id as feature_id, 'owner' as kind, 'owner' as role, null::uuid as share_id, true as is_own_folder
      from users.features where type = 'folder' and owner_id = who
    union all
    -- not `=`, for which all that the user owns would be read; so they are read by their ids
    select id, 'owner', 'owner', null, false
      from users.features where type <> 'folder' and owner_id is not distinct from who
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
$$;

-- What is granted to `who` on one resource or a folder above it.
create function users.grants_on(who text, resource_type text, resource_id text) returns table (
  feature_id uuid, kind text, rank int, share_id uuid
) language sql stable as $$
  with resource as (
    select ancestors, client_id from users.features
      where features.type = grants_on.resource_type and features.resource_id = grants_on.resource_id
  )
  select given.feature_id, given.kind, given.rank, given.share_id from users.grants(who) given
    where given.feature_id = any((select ancestors from resource)::uuid[]) and given.client_id = (select client_id from resource)
$$;

-- Decides many at once: everything is read by sets. Returns the ranks of `who` on resources of
-- `types` and `ids` as `place:rank` with commas, the place in the arrays from 1. What there is no
-- access to is left out. Plans are made once, for any number: those for a large one would read
-- whole tables.
create function users.decide_access_of_many(who text, types text[], ids text[]) returns text
language plpgsql stable set jit = off set plan_cache_mode = force_generic_plan as $$
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
end $$;

-- The last step of it, by hash: the planner expects few rows and would choose loops.
create function users.strongest(places int[], above uuid[], granted uuid[], granted_ranks int[]) returns text
language plpgsql immutable set enable_nestloop = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
begin
  return (
    select string_agg(place || ':' || rank, ',') from (
      select lies.place, max(grants.rank) as rank
        from unnest(places, above) as lies (place, feature)
        join unnest(granted, granted_ranks) as grants (feature, rank) on grants.feature = lies.feature
        group by lies.place
    ) decided
  );
end $$;

-- The roles that a user has through groups of the tenant, beside the user's `own`. A user of whose
-- own roles none exists counts as `user`, which a role of a group must not take away.
create function users.roles_of_groups(who text, client text, own text[]) returns text[] language plpgsql stable as $$
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
end $$;

drop function users.decide_access_of_many(text, uuid, text[], text[]);
drop function users.strongest(int[], uuid[], int[], uuid[], int[]);
drop function users.subjects_of(text, uuid);
drop function users.roles_of_groups(text, uuid, text, text[]);
