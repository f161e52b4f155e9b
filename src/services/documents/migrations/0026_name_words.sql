-- The words of a file name, by which a question finds the document: folded, divided at signs, at a
-- capital after a small letter, and at digits, and those with digits also as they are written.
create function documents.name_words(value text) returns tsvector
  language sql immutable strict parallel safe
as $$
  with written as (
    select regexp_replace(documents.fold_text(
      regexp_replace(value, '([a-z])([A-Z])', '\1 \2', 'g')),
      '[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+', ' ', 'g') as words),
  divided as (
    select words, regexp_replace(words, '([0-9])([^0-9 ])', '\1 \2', 'g') as after_digits
    from written)
  select array_to_tsvector(array(
    select distinct word from divided, string_to_table(words || ' ' || after_digits || ' ' ||
      regexp_replace(after_digits, '([^0-9 ])([0-9])', '\1 \2', 'g'), ' ') word
    where char_length(word) between 2 and 256))
$$;
alter table documents.documents add column name_words tsvector not null
  generated always as (documents.name_words(file_name)) stored;
create index documents_by_name_words on documents.documents using gin (name_words);
