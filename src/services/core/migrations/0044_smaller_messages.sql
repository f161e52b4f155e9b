-- The words of a message without their places: search asks only whether a word occurs.
alter table core.messages drop column search;
alter table core.messages add column search tsvector generated always as (
  case when status <> 'streaming'
    then strip(to_tsvector('simple', core.fold_text(left(content, 200000)))) end
) stored;
create index messages_search on core.messages using gin (search);

-- Each save of a reply in progress renews its lease. With the lease in no index, and room in the
-- page, the save takes the place of the one before instead of leaving a dead version.
drop index core.messages_streaming;
create index messages_streaming on core.messages (asked_by) where status = 'streaming';
alter table core.messages set (fillfactor = 80);
