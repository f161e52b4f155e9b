-- Whoever could have tools run could approve their calls, and answers were made from documents.
update users.roles r set updated_at = now(),
  permissions = permissions || '[{"action": "approve", "subject": "tool"}, {"action": "search", "subject": "document"}]'
where not built_in and exists (
  select from jsonb_array_elements(r.permissions) p
  where p ->> 'action' = 'use' and p ->> 'subject' in ('tool', 'all')
    and coalesce((p ->> 'inverted')::boolean, false) = false);
update users.api_keys set scopes = scopes || '{tool:approve}'
where scopes && '{tool:use,agent:use}' and not scopes && '{tool:approve,tool:*}';
