-- Work is taken round-robin between users: from user to user, then by time.
alter table automations.steps add column user_id text;
update automations.steps step set user_id = run.user_id
  from automations.runs run where run.id = step.run_id;
alter table automations.steps alter column user_id set not null;
create index steps_by_user on automations.steps (user_id, due_at)
  where status in ('ready', 'running', 'approval');
create index readings_by_user on automations.runs (user_id, due_at) where status = 'reading';
create index active_sources_by_user on automations.sources (user_id, due_at)
  where is_active and due_at is not null;
