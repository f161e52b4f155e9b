-- What a view adds is read in the answers to the person who has it open, and to nobody else. Who added
-- what is there is not known: open views say it again.
delete from core.view_contexts;
alter table core.view_contexts
  add column user_id text not null,
  drop constraint view_contexts_pkey,
  add primary key (conversation_id, user_id, tool_call_id);
create index view_contexts_of_user on core.view_contexts (user_id);
