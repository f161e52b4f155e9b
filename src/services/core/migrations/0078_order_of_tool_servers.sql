-- The order in which tool servers were configured decides which of two keeps a name. The time of
-- registration does not say it: the embedded database's clock counts in milliseconds, in which two
-- servers of the environment are registered.
alter table core.mcp_servers add column position int;
update core.mcp_servers set position = earlier.position
  from (select name, row_number() over (order by created_at, name) as position
    from core.mcp_servers) earlier
  where earlier.name = mcp_servers.name;
alter table core.mcp_servers alter column position set not null,
  alter column position add generated always as identity;
select setval(pg_get_serial_sequence('core.mcp_servers', 'position'),
  (select count(*) + 1 from core.mcp_servers), false);
