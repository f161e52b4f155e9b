-- when whoever uses the session last proved who they are: by password, or at an identity provider
alter table users.sessions add column confirmed_at timestamptz;

-- until when a user has read what administrators did to the account
alter table users.known_users add column notices_read_at timestamptz not null default now();
