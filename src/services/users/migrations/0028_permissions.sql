-- Permissions are named by routes as resource:verb. Until now their subject was the first part of a
-- path and their action the method: roles and scopes take the new names.
update users.roles set permissions = case name
  when 'admin' then '[{"action": "manage", "subject": "all"}, {"action": "administer", "subject": "all"}]'
  when 'user' then '[{"action": "manage", "subject": "all"}]'
  else '[{"action": "read", "subject": "all"}, {"action": "export", "subject": "all"},
         {"action": "update", "subject": "account"}]'
  end::jsonb
where built_in;

-- kind: 'same' keeps conditions and inversion; 'added' is granted along, without conditions, and is
-- never forbidden along; 'forbidden' counts only where a role forbids.
create temporary table renamed (
  old_subject text, old_action text, subject text, action text, kind text
) on commit drop;
insert into renamed values
  ('all', 'manage', 'all', 'manage', 'same'),
  ('all', 'read', 'all', 'read', 'same'),
  ('all', 'read', 'all', 'export', 'same'),
  ('all', 'create', 'all', 'create', 'same'),
  ('all', 'create', 'all', 'run', 'same'),
  ('all', 'create', 'all', 'use', 'same'),
  ('all', 'create', 'all', 'search', 'same'),
  ('all', 'create', 'all', 'process', 'same'),
  ('all', 'create', 'conversation', 'update', 'added'),
  ('all', 'create', 'canvas', 'update', 'added'),
  ('all', 'create', 'document', 'update', 'added'),
  ('all', 'create', 'lock', 'update', 'added'),
  ('all', 'update', 'all', 'update', 'same'),
  ('all', 'delete', 'all', 'delete', 'same'),
  ('conversation', 'read', 'conversation', 'read', 'same'),
  ('conversation', 'read', 'conversation', 'export', 'same'),
  ('conversation', 'create', 'conversation', 'create', 'same'),
  ('conversation', 'create', 'conversation', 'update', 'added'),
  ('conversation', 'create', 'agent', 'use', 'added'),
  ('conversation', 'create', 'model', 'use', 'added'),
  ('conversation', 'create', 'tool', 'use', 'added'),
  ('conversation', 'update', 'conversation', 'update', 'same'),
  ('conversation', 'delete', 'conversation', 'delete', 'same'),
  ('chat', 'read', 'model', 'read', 'same'),
  ('chat', 'create', 'conversation', 'create', 'same'),
  ('chat', 'create', 'agent', 'use', 'added'),
  ('chat', 'create', 'model', 'use', 'added'),
  ('chat', 'create', 'tool', 'use', 'added'),
  ('agent', 'read', 'agent', 'read', 'same'),
  ('agent', 'create', 'agent', 'create', 'same'),
  ('agent', 'create', 'agent', 'use', 'same'),
  ('agent', 'update', 'agent', 'update', 'same'),
  ('agent', 'delete', 'agent', 'delete', 'same'),
  ('canvas', 'read', 'canvas', 'read', 'same'),
  ('canvas', 'read', 'canvas', 'export', 'same'),
  ('canvas', 'create', 'canvas', 'create', 'same'),
  ('canvas', 'create', 'canvas', 'update', 'added'),
  ('canvas', 'update', 'canvas', 'update', 'same'),
  ('canvas', 'delete', 'canvas', 'delete', 'same'),
  ('templates', 'read', 'template', 'read', 'same'),
  ('templates', 'create', 'template', 'read', 'added'),
  ('templates', 'create', 'template', 'administer', 'forbidden'),
  ('templates', 'update', 'template', 'administer', 'forbidden'),
  ('templates', 'delete', 'template', 'administer', 'forbidden'),
  ('conversion', 'read', 'conversion', 'read', 'same'),
  ('conversion', 'create', 'conversion', 'create', 'same'),
  ('conversion', 'update', 'conversion', 'update', 'same'),
  ('conversion', 'delete', 'conversion', 'delete', 'same'),
  ('available-models', 'read', 'model', 'read', 'same'),
  ('available-models', 'create', 'model', 'read', 'added'),
  ('available-models', 'create', 'model', 'administer', 'forbidden'),
  ('available-models', 'update', 'model', 'administer', 'forbidden'),
  ('available-models', 'delete', 'model', 'administer', 'forbidden'),
  ('models', 'read', 'model', 'read', 'same'),
  ('models', 'create', 'model', 'administer', 'forbidden'),
  ('models', 'update', 'model', 'administer', 'forbidden'),
  ('models', 'delete', 'model', 'administer', 'forbidden'),
  ('model-providers', 'read', 'model', 'read', 'same'),
  ('model-providers', 'create', 'model', 'administer', 'forbidden'),
  ('model-providers', 'update', 'model', 'administer', 'forbidden'),
  ('model-providers', 'delete', 'model', 'administer', 'forbidden'),
  ('services-config', 'read', 'model', 'read', 'same'),
  ('services-config', 'read', 'tool', 'read', 'same'),
  ('mcp-servers', 'create', 'tool', 'administer', 'forbidden'),
  ('mcp-servers', 'update', 'tool', 'administer', 'forbidden'),
  ('mcp-servers', 'delete', 'tool', 'administer', 'forbidden'),
  ('tools', 'create', 'tool', 'administer', 'forbidden'),
  ('refresh', 'create', 'tool', 'administer', 'forbidden'),
  ('usage', 'read', 'usage', 'read', 'same'),
  ('budgets', 'read', 'usage', 'read', 'same'),
  ('budgets', 'create', 'budget', 'administer', 'forbidden'),
  ('budgets', 'update', 'budget', 'administer', 'forbidden'),
  ('budgets', 'delete', 'budget', 'administer', 'forbidden'),
  ('documents', 'read', 'document', 'read', 'same'),
  ('documents', 'create', 'document', 'create', 'same'),
  ('documents', 'create', 'document', 'update', 'added'),
  ('documents', 'update', 'document', 'update', 'same'),
  ('documents', 'delete', 'document', 'delete', 'same'),
  ('parser', 'read', 'document', 'process', 'added'),
  ('parser', 'create', 'document', 'process', 'same'),
  ('parser', 'delete', 'document', 'process', 'added'),
  ('pdf', 'create', 'document', 'process', 'same'),
  ('services', 'create', 'document', 'process', 'same'),
  ('chunk', 'create', 'document', 'process', 'same'),
  ('embed', 'create', 'document', 'process', 'same'),
  ('embed', 'read', 'document', 'read', 'added'),
  ('process', 'create', 'document', 'process', 'same'),
  ('translation', 'create', 'document', 'process', 'same'),
  ('rag', 'create', 'document', 'search', 'same'),
  ('chunks', 'create', 'document', 'search', 'same'),
  ('flowengine', 'read', 'flow', 'read', 'same'),
  ('flowengine', 'create', 'flow', 'create', 'same'),
  ('flowengine', 'create', 'flow', 'run', 'same'),
  ('flowengine', 'create', 'flow', 'administer', 'forbidden'),
  ('integrations', 'create', 'flow', 'run', 'added'),
  ('sharing', 'read', 'share', 'read', 'same'),
  ('sharing', 'read', 'lock', 'read', 'same'),
  ('sharing', 'read', 'directory', 'read', 'same'),
  ('sharing', 'create', 'share', 'create', 'same'),
  ('sharing', 'create', 'share', 'read', 'added'),
  ('sharing', 'create', 'lock', 'update', 'same'),
  ('sharing', 'update', 'share', 'create', 'same'),
  ('sharing', 'delete', 'share', 'delete', 'same'),
  ('sharing', 'delete', 'lock', 'update', 'added'),
  ('features', 'delete', 'lock', 'administer', 'forbidden'),
  ('pins', 'read', 'mark', 'read', 'same'),
  ('pins', 'update', 'mark', 'update', 'same'),
  ('pins', 'delete', 'mark', 'update', 'same'),
  ('favorites', 'read', 'mark', 'read', 'same'),
  ('favorites', 'update', 'mark', 'update', 'same'),
  ('favorites', 'delete', 'mark', 'update', 'same'),
  ('tags', 'read', 'mark', 'read', 'same'),
  ('tags', 'update', 'mark', 'update', 'same'),
  ('preferences', 'read', 'account', 'read', 'same'),
  ('preferences', 'update', 'account', 'update', 'same'),
  ('user-info', 'read', 'directory', 'read', 'same'),
  ('user-role', 'read', 'role', 'read', 'same'),
  ('role-permissions', 'create', 'role', 'read', 'same'),
  ('users', 'read', 'user', 'administer', 'forbidden'),
  ('users', 'create', 'user', 'administer', 'forbidden'),
  ('users', 'update', 'user', 'administer', 'forbidden'),
  ('users', 'delete', 'user', 'administer', 'forbidden'),
  ('groups', 'read', 'group', 'administer', 'forbidden'),
  ('groups', 'create', 'group', 'administer', 'forbidden'),
  ('groups', 'update', 'group', 'administer', 'forbidden'),
  ('groups', 'delete', 'group', 'administer', 'forbidden'),
  ('roles', 'read', 'role', 'administer', 'forbidden'),
  ('roles', 'create', 'role', 'administer', 'forbidden'),
  ('roles', 'update', 'role', 'administer', 'forbidden'),
  ('roles', 'delete', 'role', 'administer', 'forbidden'),
  ('audit', 'read', 'audit', 'administer', 'forbidden'),
  ('queues', 'read', 'queue', 'administer', 'forbidden'),
  ('queues', 'create', 'queue', 'administer', 'forbidden'),
  ('automations', 'read', 'automation', 'read', 'same'),
  ('automations', 'create', 'automation', 'create', 'same'),
  ('automations', 'create', 'automation', 'run', 'same'),
  ('automations', 'update', 'automation', 'update', 'same'),
  ('automations', 'delete', 'automation', 'delete', 'same');

-- one's own name and export were everybody's
update users.roles r set updated_at = now(), permissions = coalesce((
  select jsonb_agg(distinct
    case n.kind when 'added' then '{}'::jsonb else p - 'action' - 'subject' end
      || jsonb_build_object('action', n.action, 'subject', n.subject))
  from jsonb_array_elements(r.permissions) p
  join renamed n on n.old_subject = p ->> 'subject'
    and (n.old_action = p ->> 'action' or (p ->> 'action' = 'manage' and n.old_subject <> 'all'))
  where case when (p ->> 'inverted')::boolean then n.kind <> 'added' else n.kind <> 'forbidden' end
), '[]') || '[{"action": "update", "subject": "account"}, {"action": "export", "subject": "account"}]'
where not built_in;

update users.api_keys k set scopes = coalesce((
  select array_agg(distinct n.scope order by n.scope)
  from (values
    ('conversation', 'conversation:create'), ('chat', 'conversation:create'),
    ('chat', 'model:read'), ('agent', 'agent:use'), ('tools', 'tool:use'),
    ('documents', 'document:*'), ('automations', 'automation:*')
  ) as n (old_scope, scope)
  where n.old_scope = any(k.scopes)
), '{}') where scopes is not null;
