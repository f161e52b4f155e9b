create schema tool_gateway;

-- what a tool said of itself when it was first seen, or when a person last looked at it
create table tool_gateway.approved_tools (
  server text not null,
  name text not null,
  fingerprint text not null,
  approved_at timestamptz not null default now(),
  primary key (server, name)
);
