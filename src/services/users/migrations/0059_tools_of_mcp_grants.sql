-- Which tools of tool servers a program may run for its user: a server, or server/tool. null: all.
alter table users.mcp_codes add column tools text[];
alter table users.mcp_grants add column tools text[];
