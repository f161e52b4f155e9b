-- the code of the sentence in `error` and its values, by which clients say it in another language
alter table queue.messages add column code text, add column params jsonb;
