-- One resource is decided by a prepared statement of its own (sharing/decide-access.ts); here are many at once: everything is read by
-- sets, where it was read resource by resource.
drop function users.decide_access(text, uuid, text[], text[]);

-- ids are compared for equality alone, and many at once
create index features_by_resource on users.features using hash (resource_id);
create index folders_of_owner on users.features (owner_id, id) where type = 'folder';
-- answers by itself which of many features are shared with any of many subjects
drop index users.shares_of_subject;
create index shares_of_subject on users.shares (subject, feature_id) include (access_role) where revoked_at is null;

-- The roles of `who` on resources of `types` and `ids`, as `place:rank` with commas: place in the arrays from 1, rank from 1 (viewer) to
-- 4 (owner). What he has no access to is not in it. `me` is `who` where he is a user of ours. Plans are made once, for whatever
-- number: those for a great one would read whole tables.
create function users.decide_access_of_many(who text, me uuid, types text[], ids text[]) returns text
language plpgsql stable set jit = off set plan_cache_mode = force_generic_plan as $$
declare
  ranks text[] := '{viewer,commenter,editor,owner}';
  subjects text[] := users.subjects_of(who, me);
  tenant text;
  is_disabled boolean;
  -- each resource with each folder above it and itself: `places[n]` is or lies in `above[n]`; negative for one of another organisation
  places int[];
  above uuid[];
  -- resources that are his own
  own int[];
  -- what he is granted: `granted_ranks[n]` on `granted[n]`; negative for what a link grants, to his organisation alone
  granted uuid[];
  granted_ranks int[];
begin
  select users.client_id, users.disabled into tenant, is_disabled from users.users where id = me;
  if is_disabled then return null; end if;

  select array_agg(place), array_agg(feature), array_agg(abs(place)) filter (where is_own) into places, above, own from (
    select (case when feature.client_id = coalesce(tenant, 'default') then asked.place else -asked.place end)::int as place,
      unnest(feature.ancestors) as feature, feature.owner_id = who as is_own
    from unnest(types, ids) with ordinality as asked (type, resource_id, place)
    join users.features feature on feature.resource_id = asked.resource_id and feature.type = asked.type
  ) found;

  select array_agg(feature_id), array_agg(rank) into granted, granted_ranks from (
    select feature_id, array_position(ranks, access_role) as rank from users.shares
      where feature_id = any(above) and subject = any(subjects) and revoked_at is null
    union all
    select id, 4 from users.features where owner_id = who and type = 'folder' and id = any(above)
    union all
    select feature_id, -array_position(ranks, access_level) from users.links
      where feature_id = any(above) and enabled and (expires_at is null or expires_at > now())
        and (allowed_users is null or who = any(allowed_users))
  ) grants;

  return users.strongest(places, above, own, granted, granted_ranks);
end $$;

-- the last step of it, by hash: for so few rows as are guessed here loops would be chosen
create function users.strongest(places int[], above uuid[], own int[], granted uuid[], granted_ranks int[]) returns text
language plpgsql immutable set enable_nestloop = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
begin
  return (
    select string_agg(place || ':' || rank, ',') from (
      select place, max(rank) as rank from (
        select abs(lies.place) as place, abs(grants.rank) as rank
          from unnest(places, above) as lies (place, feature)
          join unnest(granted, granted_ranks) as grants (feature, rank) on grants.feature = lies.feature
          where grants.rank > 0 or lies.place > 0
        union all
        select place, 4 from unnest(own) as place
      ) ways group by place
    ) decided
  );
end $$;
