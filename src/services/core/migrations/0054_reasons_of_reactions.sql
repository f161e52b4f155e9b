-- Why an answer was bad, and by what administrators list what people think of answers.
alter table core.message_reactions
  add column reasons text[] not null default '{}',
  add column client_id text,
  add column model text,
  add column agent_id uuid;
update core.message_reactions reaction
  set client_id = conversation.client_id, model = message.model, agent_id = message.agent_id
  from core.messages message
  join core.conversations conversation on conversation.id = message.conversation_id
  where message.id = reaction.message_id;
alter table core.message_reactions alter column client_id set not null;
create index message_reactions_of_client on core.message_reactions
  (client_id, created_at desc, message_id desc, user_id desc);
