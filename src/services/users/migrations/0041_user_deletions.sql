-- Who was deleted, and who received the data: services ask before they delete or transfer anything.
create table users.deletions (
  user_id text primary key,
  transfer_to text,
  at timestamptz not null default now()
);
insert into users.deletions (user_id, transfer_to, at)
  select distinct on (resource_id) resource_id, details->>'transferTo', at
  from users.audit_events
  where action = 'user.deleted' and resource_type = 'user' and resource_id is not null
  order by resource_id, at desc;
