-- Users have templates of their own, and share them.
alter table users.features drop constraint features_type_check;
alter table users.features add constraint features_type_check
  check (type in ('conversation', 'folder', 'document', 'agent', 'template'));
-- Routes of templates now ask for the permission to create, update or delete them first.
update users.roles r set updated_at = now(),
  permissions = permissions || '[{"action": "create", "subject": "template"},
    {"action": "update", "subject": "template"}, {"action": "delete", "subject": "template"}]'
where not built_in and exists (
  select from jsonb_array_elements(r.permissions) p
  where p ->> 'action' = 'administer' and p ->> 'subject' = 'template'
    and coalesce((p ->> 'inverted')::boolean, false) = false);
update users.api_keys
set scopes = scopes || '{template:create,template:update,template:delete}'
where scopes && '{template:administer}' and not scopes && '{template:*}';
