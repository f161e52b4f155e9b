-- Every turn writes its conversation's words to this index again, where they wait in a list of up to
-- 4 MB. See 0068 for that of messages.
alter index core.conversations_search set (gin_pending_list_limit = 128);
