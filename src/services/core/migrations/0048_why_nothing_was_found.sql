-- Why the documents had nothing for a reply, and what was nearest.
alter table core.messages add column not_found jsonb;
