-- One index finds what a user owns, and which of many resources: of 500 it reads those of the user, where the owners of all were read.
drop index users.features_of_owner;
drop index users.owners_of_features;
create index features_of_owner on users.features (owner_id, id);

create or replace function users.grants(who text) returns table (
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
$$;
