-- servers whose first list of tools was approved, and when each was registered: what another server of
-- the name was allowed is forgotten; null where nobody says when
create table tool_gateway.known_servers (
  server text primary key,
  registered_at timestamptz
);
insert into tool_gateway.known_servers (server) select distinct server from tool_gateway.approved_tools;
