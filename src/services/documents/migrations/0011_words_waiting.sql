-- New chunks' words wait in a list before they are sorted into the index, and each word of a question reads the whole list: the usual 4 MB
-- take a millisecond each
alter index documents.chunks_search set (gin_pending_list_limit = 256);
select gin_clean_pending_list('documents.chunks_search');
