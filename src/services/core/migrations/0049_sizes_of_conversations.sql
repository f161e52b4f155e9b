-- The bytes that were written to a conversation, for the quota of its owner.
alter table core.conversations add column bytes bigint not null default 0;
update core.conversations c set bytes = m.bytes from (
  select conversation_id, sum(octet_length(content) + octet_length(reasoning)
    + pg_column_size(history) + pg_column_size(tool_calls) + pg_column_size(sources)) as bytes
  from core.messages group by conversation_id
) m where m.conversation_id = c.id;
create index conversations_sizes_of_user on core.conversations (user_id) include (bytes);
