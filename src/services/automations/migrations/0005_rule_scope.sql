-- Whose media a rule takes: those of every user of the client, or its maker's alone.
-- Existing rules were made by users of any role: each becomes its maker's own.
alter table automations.rules rename column created_by to user_id;
alter table automations.rules add column scope text not null default 'personal'
  check (scope in ('client', 'personal'));
alter table automations.rules alter column scope drop default;
create index personal_rules on automations.rules (user_id, id) where scope = 'personal';

-- Who chose the agents of the run: they run only while this user may use them as well.
alter table automations.runs add column maker_id text;
update automations.runs run set maker_id = rule.user_id
  from automations.rules rule where rule.id = run.rule_id;
create index runs_of_rule on automations.runs (rule_id, id desc) where rule_id is not null;

-- Runs that another user's rule began end here.
update automations.runs set status = 'cancelled', due_at = null, ended_at = now(),
  error = '{"code": "rule_not_yours", "message":
    "The rule was another user''s. Rules of users take their own media alone now."}'
  where status in ('reading', 'running') and maker_id <> user_id;
update automations.steps step set status = 'cancelled', due_at = null, ended_at = now()
  from automations.runs run where run.id = step.run_id and run.status = 'cancelled'
  and step.status in ('waiting', 'ready', 'running', 'approval');
