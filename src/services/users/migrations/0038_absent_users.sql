-- When a token of the issuer last named a user of another issuer: nothing runs without a token for
-- users of whom the issuer has said nothing for long.
alter table users.known_users add column token_at timestamptz not null default now();
