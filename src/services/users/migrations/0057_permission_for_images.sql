-- Whoever may use tools may use those that make images. Administrators take it from a role by its name.
update users.roles r set updated_at = now(),
  permissions = permissions || '[{"action": "create", "subject": "image"}]'
where not built_in and exists (
  select from jsonb_array_elements(r.permissions) p
  where p ->> 'action' = 'use' and p ->> 'subject' = 'tool' and p -> 'conditions' is null
    and coalesce((p ->> 'inverted')::boolean, false) = false);
