-- what views of tools' results add to what the model reads next
create table core.view_contexts (
  conversation_id uuid not null references core.conversations (id) on delete cascade,
  -- the call whose result the view shows
  tool_call_id text not null,
  server text not null,
  content text not null,
  updated_at timestamptz not null default now(),
  primary key (conversation_id, tool_call_id)
);
