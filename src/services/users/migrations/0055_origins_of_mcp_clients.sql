-- hashes of the network and the site that registered a client: one of them takes no room from others
alter table users.mcp_clients add column network text not null default '';
alter table users.mcp_clients add column site text not null default '';
create index mcp_clients_network on users.mcp_clients (network, used_at);
create index mcp_clients_site on users.mcp_clients (site, used_at);
