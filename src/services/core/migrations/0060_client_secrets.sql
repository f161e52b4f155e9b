-- the encrypted secret with which Parlance signs users in at a tool server, where one was entered
alter table core.mcp_servers add column client_secret text;
