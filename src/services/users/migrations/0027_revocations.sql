-- What ends credentials before they expire, for every process to copy: each reads what is new since the position it knows.
create table users.revocations (
  -- `session`: its access tokens. `user`: every credential of a disabled or deleted user. `roles`: the permissions that roles have changed
  kind text not null check (kind in ('session', 'user', 'roles')),
  id text not null,
  -- false: lifted, as when a user is enabled again
  revoked boolean not null default true,
  -- null: never; else when no token that it ends can be alive
  expires_at timestamptz,
  -- in the order of commits; set when the transaction ends
  position bigint,
  primary key (kind, id)
);
create index revocations_in_order on users.revocations (position);
create index revocations_expired on users.revocations (expires_at) where expires_at is not null;
create sequence users.revocation_positions;

-- Numbers taken at the commit, one transaction at a time: a reader who saw a number misses no smaller one.
create function users.number_revocation() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7161, 2);
  update users.revocations set position = nextval('users.revocation_positions') where kind = new.kind and id = new.id;
  return null;
end $$;
create constraint trigger number_revocation after insert or update of revoked, expires_at on users.revocations
  deferrable initially deferred for each row execute function users.number_revocation();

-- Disabling or deleting a user revokes every credential of that user.
create function users.revoke_user() returns trigger language plpgsql as $$
begin
  insert into users.revocations (kind, id, revoked) values ('user', old.id::text, tg_op = 'DELETE' or new.disabled)
    on conflict (kind, id) do update set revoked = excluded.revoked;
  return null;
end $$;
create trigger revoke_disabled_user after update of disabled on users.users
  for each row when (old.disabled is distinct from new.disabled) execute function users.revoke_user();
create trigger revoke_deleted_user after delete on users.users for each row execute function users.revoke_user();

insert into users.revocations (kind, id) select 'user', id::text from users.users where disabled;
-- tokens of sessions that ended shortly before this migration
insert into users.revocations (kind, id, expires_at)
  select 'session', id::text, now() + interval '1 day' from users.sessions where ended_at > now() - interval '1 day';

-- Grows when every session of the user ends: a sign-in that began before begins no session after it.
alter table users.users add column session_epoch integer not null default 0;
