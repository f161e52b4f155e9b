-- A deletion of a user looks for all permissions of the user, whatever the provider.
create index permissions_of_user on integrations.flow_permissions (user_id);
