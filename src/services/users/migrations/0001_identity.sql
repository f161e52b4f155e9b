create schema users;

create table users.users (
  id uuid primary key,
  email text not null,
  name text not null,
  -- null: signs in elsewhere
  password_hash text,
  roles text[] not null default '{user}',
  client_id text not null default 'default',
  disabled boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index one_user_per_email on users.users (lower(email));

create table users.sessions (
  id uuid primary key,
  user_id uuid not null references users.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  ended_at timestamptz
);
create index sessions_of_user on users.sessions (user_id) where ended_at is null;

-- a refresh token is used once; its use a second time ends the session
create table users.refresh_tokens (
  hash text primary key,
  session_id uuid not null references users.sessions (id) on delete cascade,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index refresh_tokens_of_session on users.refresh_tokens (session_id);

create table users.api_keys (
  id uuid primary key,
  user_id uuid not null references users.users (id) on delete cascade,
  name text not null,
  hash text not null unique,
  scopes text[],
  expires_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default now()
);
create index api_keys_of_user on users.api_keys (user_id, created_at);

create table users.signing_keys (
  id text primary key,
  public_jwk jsonb not null,
  -- encrypted with ENCRYPTION_KEY
  private_key text not null,
  created_at timestamptz not null default now()
);
