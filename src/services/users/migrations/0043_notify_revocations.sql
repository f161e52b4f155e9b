-- Whoever follows revocations hears of each at its commit, and need not look for it often.
create function users.notify_revocations() returns trigger language plpgsql as $$
begin
  perform pg_notify('revocations', '');
  return null;
end $$;
create trigger notify_revocations after insert or update on users.revocations
  for each statement execute function users.notify_revocations();
