-- Whether nobody but its user made the account. Who signs up with an email proves nothing of it.
alter table users.users add column signed_up boolean not null default false;
update users.users set signed_up = true where exists (select 1 from users.audit_events made
  where made.resource_type = 'user' and made.resource_id = users.id::text
    and made.action = 'user.created' and made.actor_id = 'service');
