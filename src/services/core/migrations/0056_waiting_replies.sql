-- Which replies wait for a decision, without a look at the other messages of their conversations.
create index messages_waiting on core.messages (conversation_id) where finish_reason = 'approval';
