-- what was approved is kept whole, to be shown beside what the tool says now; the fingerprint no longer depends on the order of keys
delete from tool_gateway.approved_tools;
alter table tool_gateway.approved_tools add column definition jsonb not null;
