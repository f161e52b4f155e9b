-- The roles that the last token of another issuer named: what runs for its user without a token, such as automations and flow keys,
-- may do no more than the user.
alter table users.known_users add column roles text[] not null default '{}';
