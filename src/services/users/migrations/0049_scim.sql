-- What an identity provider says of users and groups by SCIM, beside what is kept of all of them: the
-- name by which it knows a user (userName), its own ids (externalId), and the attributes as it sent them.
alter table users.users add column user_name text;
alter table users.users add column external_id text;
alter table users.users add column scim jsonb;
create unique index one_user_per_user_name on users.users (client_id, lower(coalesce(user_name, email)));
create index users_by_external_id on users.users (client_id, external_id) where external_id is not null;

alter table users.groups add column external_id text;
create index groups_by_external_id on users.groups (client_id, external_id) where external_id is not null;

-- The tokens by which identity providers call. A revoked one stays, so that the audit log can name it.
create table users.scim_tokens (
  id uuid primary key,
  client_id text not null,
  name text not null,
  hash text not null unique,
  expires_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  revoked_at timestamptz
);
create index scim_tokens_of_client on users.scim_tokens (client_id, created_at) where revoked_at is null;
