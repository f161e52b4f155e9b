-- Private addresses that administrators allow for providers and tool servers.
create table core.allowed_addresses (
  -- host:port
  address text primary key,
  allowed_by text not null,
  allowed_at timestamptz not null default now()
);
