alter table users.sessions
  add column user_agent text not null default '',
  add column last_used_at timestamptz not null default now(),
  -- when the session ends if it is not used again
  add column expires_at timestamptz not null default now() + interval '30 days',
  -- hash of a browser's cookie; null: a session of access and refresh tokens
  add column cookie_hash text;
create unique index session_of_cookie on users.sessions (cookie_hash) where cookie_hash is not null;
