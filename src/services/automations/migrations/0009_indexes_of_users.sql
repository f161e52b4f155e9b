-- A deletion of a user looks for all rules of the user; `personal_rules` has the others.
create index client_rules_of_user on automations.rules (user_id) where scope = 'client';
