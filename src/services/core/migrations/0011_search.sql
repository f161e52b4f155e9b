create table core.tags (
  id uuid primary key,
  user_id text not null,
  name text not null
);
create unique index one_tag_per_name on core.tags (user_id, lower(name));

create table core.conversation_tags (
  conversation_id uuid not null references core.conversations (id) on delete cascade,
  tag_id uuid not null references core.tags (id) on delete cascade,
  primary key (conversation_id, tag_id)
);
create index conversations_with_tag on core.conversation_tags (tag_id);

create table core.message_reactions (
  message_id uuid not null references core.messages (id) on delete cascade,
  user_id text not null,
  reaction text not null check (reaction in ('like', 'dislike')),
  comment text,
  created_at timestamptz not null default now(),
  primary key (message_id, user_id)
);

-- words as they are, in every language; a message is found once it is complete, so that streaming costs no index
alter table core.messages add column search tsvector
  generated always as (case when status <> 'streaming' then to_tsvector('simple', left(content, 200000)) end) stored;
create index messages_search on core.messages using gin (search);
alter table core.conversations add column search tsvector generated always as (to_tsvector('simple', title)) stored;
create index conversations_search on core.conversations using gin (search);

-- what was said up to and with this message, in short: where the model's context cannot hold the whole thread
alter table core.messages add column summary text;

create index conversations_deleted on core.conversations (deleted_at) where deleted_at is not null;
