-- The labels of what a reply was made from, as its reader sees them.
alter table core.messages add column labels jsonb;
-- The labels that a run has collected so far, with their rules.
alter table core.tool_sessions add column labels jsonb not null default '[]';
-- The ids of labels that a stored response carries on to the next one.
alter table core.responses add column labels uuid[] not null default '{}';
