create table users.audit_events (
  id uuid primary key,
  at timestamptz not null default now(),
  -- a user's id, or 'service'
  actor_id text not null,
  action text not null,
  resource_type text not null,
  resource_id text not null,
  details jsonb not null default '{}',
  request_id text
);
create index audit_by_time on users.audit_events (at desc, id desc);
create index audit_by_actor on users.audit_events (actor_id, at desc);
create index audit_by_resource on users.audit_events (resource_type, resource_id, at desc);
