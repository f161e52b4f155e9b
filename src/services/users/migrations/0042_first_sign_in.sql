-- Whether an administrator made the account without a password and nobody has signed in to it yet: an
-- identity provider's verified email is enough to link it.
alter table users.users add column awaits_first_sign_in boolean not null default false;

create or replace function users.replace_initial_password() returns trigger language plpgsql as $$
begin
  new.has_initial_password := false;
  new.awaits_first_sign_in := false;
  return new;
end $$;
