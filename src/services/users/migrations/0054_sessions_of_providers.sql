-- Where a session came from: an identity provider ends it when it ends its own.
alter table users.sessions
  add column provider text,
  add column provider_session text;
create index sessions_of_provider on users.sessions (provider, provider_session)
  where provider_session is not null and ended_at is null;
