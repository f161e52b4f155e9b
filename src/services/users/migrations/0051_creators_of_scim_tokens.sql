-- Who made a token: it counts while this is an administrator. Of those that are there the audit log knows it.
alter table users.scim_tokens add column created_by text not null default '';
update users.scim_tokens token set created_by = made.actor_id from users.audit_events made
  where made.resource_type = 'scim_token' and made.resource_id = token.id::text
    and made.action = 'scim_token.created';
alter table users.scim_tokens alter column created_by drop default;
