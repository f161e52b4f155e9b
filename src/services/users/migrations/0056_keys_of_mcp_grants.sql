-- what the grants of a user to one client have in common: a document names a client, which may run on
-- several machines; of one that registers, its name and where it comes back to count, without the port
alter table users.mcp_grants add column client_key text not null generated always as (
  md5(case when client_id like 'https://%' then client_id
    else client_name || ' ' || regexp_replace(redirect_host, ':[0-9]+$', '') end)
) stored;
-- the newest grant of each client, and how many clients there are
create index mcp_grants_of_client
  on users.mcp_grants (user_id, client_key, created_at desc, id desc) include (expires_at);
create index mcp_grants_newest on users.mcp_grants (created_at desc, id desc);
