-- what a user filled in for the headers of a tool server; lists: the tools of the server are read with it
create table tool_gateway.user_values (
  user_id text not null,
  server text not null,
  url text not null,
  sealed text not null,
  lists boolean not null default false,
  filled_at timestamptz not null default now(),
  primary key (user_id, server)
);
create index user_values_server on tool_gateway.user_values (server);
create unique index user_values_lists on tool_gateway.user_values (server) where lists;
