-- The tenant of the user and of the administrator: a grant never crosses tenants.
alter table integrations.flow_permissions add column client_id text not null default 'default';
create index permissions_of_client on integrations.flow_permissions (client_id, granted_at desc);
