-- A text as search compares it: in lower case, without diacritics, and with ligatures spelt out, so
-- that "munchen" finds "München" and "strasse" finds "Straße". Korean syllables and Japanese kana
-- stay whole. PGlite has no extension unaccent.
create function core.fold_text(value text) returns text
  language sql immutable strict parallel safe
as $$
  select case when octet_length(value) = char_length(value) then lower(value)
  else replace(replace(replace(replace(
    lower(normalize(regexp_replace(
      normalize(translate(value, 'ẞØøĐđÐðŁłĦħıÆŒÞ', 'ßooddddllhhiæœþ'), nfd),
      '[\u0300-\u036f]', '', 'g'), nfc)),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
  end
$$;

-- Messages are indexed once they are complete, so that streaming costs no index.
alter table core.messages drop column search;
alter table core.messages add column search tsvector generated always as (
  case when status <> 'streaming'
    then to_tsvector('simple', core.fold_text(left(content, 200000))) end
) stored;
create index messages_search on core.messages using gin (search);

alter table core.conversations drop column search;
alter table core.conversations add column search tsvector
  generated always as (to_tsvector('simple', core.fold_text(title))) stored;
create index conversations_search on core.conversations using gin (search);
