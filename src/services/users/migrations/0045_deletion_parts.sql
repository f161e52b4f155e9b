-- Where the deletion of each user stands, at each service that has data of users.
alter table users.deletions add column client_id text not null default 'default';
update users.deletions set client_id = known.client_id
  from users.known_users known where known.id = deletions.user_id;
create index deletions_of_client on users.deletions (client_id, at desc, user_id);
create table users.deletion_parts (
  user_id text not null references users.deletions (user_id) on delete cascade,
  service text not null,
  state text not null check (state in ('waiting', 'failed', 'done')),
  attempt integer not null default 0,
  error text,
  at timestamptz not null default now(),
  primary key (user_id, service)
);
create index deletion_parts_open on users.deletion_parts (user_id) where state <> 'done';
