-- A text as search compares it: in lower case, without diacritics, and with ligatures spelt out, so
-- that "munchen" finds "München" and "strasse" finds "Straße". Korean syllables and Japanese kana
-- stay whole. PGlite has no extension unaccent.
create function documents.fold_text(value text) returns text
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
