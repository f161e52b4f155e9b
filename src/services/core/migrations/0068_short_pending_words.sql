-- New words wait in a list of the index, of up to 4 MB, which is written uncompressed, read whole by
-- each search, and moved at once by the message that fills it. A short one takes as much processor
-- in all, and little space.
alter index core.messages_search set (gin_pending_list_limit = 128);
