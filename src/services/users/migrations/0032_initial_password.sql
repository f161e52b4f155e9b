-- Whether the password is the one that the first start generated and printed.
alter table users.users add column has_initial_password boolean not null default false;
create index users_with_initial_password on users.users (id) where has_initial_password;

-- A new password is a user's own.
create function users.replace_initial_password() returns trigger language plpgsql as $$
begin
  new.has_initial_password := false;
  return new;
end $$;
create trigger replace_initial_password before update of password_hash on users.users
  for each row when (old.password_hash is distinct from new.password_hash)
  execute function users.replace_initial_password();
