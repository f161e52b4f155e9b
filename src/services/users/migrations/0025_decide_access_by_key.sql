-- As before, but ownership is read by the key of the folder, never by all that the user owns; and without just-in-time compilation,
-- which takes longer than the largest batch.
create or replace function users.decide_access(who text, me uuid, types text[], ids text[]) returns table (role text)
language plpgsql stable rows 10 set jit = off as $$
declare
  subjects text[] := users.subjects_of(who, me);
  ranks text[] := '{viewer,commenter,editor,owner}';
begin
  return query
    select ranks[(
      select max(granted.rank) from users.features feature cross join lateral (
        select case when above.owner_id = who then 4 end as rank from users.features above
          where above.id = any(feature.ancestors)
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
