-- what an embedding model wants before a question and before a passage; null: what its name says
alter table core.models
  add column query_prefix text,
  add column passage_prefix text;
-- the vectors of known models were made without prefixes, and questions have to match them
update core.models set query_prefix = '', passage_prefix = '' where kind = 'embedding';
