alter table users.groups add column roles text[] not null default '{}';
create index groups_with_roles on users.groups (client_id) where roles <> '{}';

-- The roles that a user has through groups, nested ones and those of the identity provider too, beside the user's `own`.
-- Someone of whose own roles none exists counts as `user`, which a role of a group must not take away.
create function users.roles_of_groups(who text, me uuid, client text, own text[]) returns text[] language plpgsql stable as $$
declare
  gained text[];
begin
  if not exists (select from users.groups where client_id = client and roles <> '{}') then
    return '{}';
  end if;
  select array_agg(distinct given) into gained
    from users.group_closure closure
      join users.groups above on above.id = closure.ancestor_id and above.client_id = client
      cross join unnest(above.roles) given
    where closure.descendant_id in (
      select group_id from users.group_members where user_id = who
      union all
      select groups.id from users.identities
        join users.groups on groups.external_name = any(identities.groups) and groups.client_id = client
        where identities.user_id = me
    );
  if gained is null then
    return '{}';
  end if;
  if not exists (select from users.roles where name = any(own)) then
    gained := array_append(gained, 'user');
  end if;
  return array(select distinct one from unnest(gained) one where one <> all(own) order by one);
end $$;
