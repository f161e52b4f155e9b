-- the issuer at which a client may be used that an administrator entered without one: the first
-- that its server named
create table tool_gateway.pinned_issuers (
  server text not null,
  url text not null,
  client_id text not null,
  issuer text not null,
  pinned_at timestamptz not null default now(),
  primary key (server, url, client_id)
);

-- taken: its answer came, and its connection is not saved yet
alter table tool_gateway.sign_ins add column taken boolean not null default false;
