alter table core.budgets drop constraint budgets_subject_type_check;
alter table core.budgets add constraint budgets_subject_type_check check (subject_type in ('user', 'group', 'agent', 'run'));
