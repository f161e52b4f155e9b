-- Names and emails as searches compare them. Folding each of 10,000 names takes nearly a second, so it
-- is done once, when they are stored.
alter table users.users add column search_text text not null
  generated always as (users.fold_text(name) || E'\n' || users.fold_text(email)) stored;
alter table users.known_users add column search_text text not null
  generated always as (users.fold_text(name) || E'\n' || users.fold_text(email)) stored;

-- For the list of locks that are held: of all that were ever held, few are.
create index locks_by_expiry on users.locks (expires_at);
