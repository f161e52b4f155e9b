-- A deletion of a user looks for all rows of the user, those in the trash too.
create index conversations_in_trash_of_user on core.conversations (user_id)
  where deleted_at is not null;
create index canvases_in_trash_of_user on core.canvases (user_id) where deleted_at is not null;
create index agents_in_trash_of_owner on core.agents (owner_id) where deleted_at is not null;
create index message_reactions_of_user on core.message_reactions (user_id);
create index tool_sessions_of_user on core.tool_sessions (user_id);
