-- Which tools of tool servers a key may run at /mcp: a server, or server/tool. null: all.
alter table users.api_keys add column tools text[];
