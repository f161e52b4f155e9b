-- who somebody is at an organisation's identity provider; issuer and subject together never change
create table users.identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null references users.users (id) on delete cascade,
  -- as the provider last told
  groups text[] not null default '{}',
  created_at timestamptz not null default now(),
  last_sign_in_at timestamptz not null default now(),
  primary key (issuer, subject),
  unique (user_id, issuer)
);
