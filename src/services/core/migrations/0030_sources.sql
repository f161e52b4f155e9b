-- the passages of documents that a reply was given, in the order of their numbers
alter table core.messages add column sources jsonb not null default '[]';
-- documents that were attached to be searched: a conversation keeps them, however long it gets
alter table core.conversations add column documents jsonb not null default '[]';
