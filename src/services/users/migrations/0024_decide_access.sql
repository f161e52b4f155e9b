-- Functions, because their plans are kept: planning this statement takes three times as long as running it.

-- the user and every group that he is in, by the API or by his identity provider, nested ones too, as shares name them
create function users.subjects_of(who text, me uuid) returns text[] language plpgsql stable as $$
begin
  return (
    select array_append(array_agg('group:' || closure.ancestor_id), 'user:' || who)
    from users.group_closure closure where closure.descendant_id in (
      select group_id from users.group_members where user_id = who
      union all
      select groups.id from users.identities join users.groups on groups.external_name = any(identities.groups)
        where identities.user_id = me
    )
  );
end $$;

-- the strongest of ownership, shares and links, on each resource itself or on a folder above it, in the order of the arrays;
-- `me` is `who` where he is a user of ours. Called by sharing/decide-access.ts alone
create function users.decide_access(who text, me uuid, types text[], ids text[]) returns table (role text) language plpgsql stable rows 10 as $$
declare
  subjects text[] := users.subjects_of(who, me);
  ranks text[] := '{viewer,commenter,editor,owner}';
begin
  return query
    select ranks[(
      select max(granted.rank) from users.features feature cross join lateral (
        select 4 as rank from users.features above
          where above.id = any(feature.ancestors) and above.owner_id = who
        union all
        select array_position(ranks, share.access_role) from users.shares share
          where share.feature_id = any(feature.ancestors) and share.subject = any(subjects) and share.revoked_at is null
        union all
        select array_position(ranks, link.access_level) from users.links link
          where link.feature_id = any(feature.ancestors) and link.enabled and (link.expires_at is null or link.expires_at > now())
            and (link.allowed_users is null or who = any(link.allowed_users))
            and feature.client_id = coalesce((select client_id from users.users where id = me), 'default')
      ) granted
      where feature.type = asked.type and feature.resource_id = asked.resource_id
        and not exists (select from users.users where id = me and disabled)
    )]
    from unnest(types, ids) with ordinality as asked (type, resource_id, position)
    order by asked.position;
end $$;
