-- In which session of the sandbox the code of a conversation goes on: several processes of it may each
-- have one, of which only the last is meant.
create table core.code_sessions (
  conversation_id uuid not null references core.conversations on delete cascade,
  user_id text not null,
  language text not null,
  session_id uuid not null,
  primary key (conversation_id, user_id, language)
);
create index code_sessions_of_user on core.code_sessions (user_id);
