-- What a reply was made without, such as a page that could not be read.
alter table core.messages add column warnings jsonb;
