import sql, { join } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { messagesOf } from "./search-terms.ts";

/** Private-use characters mark a hit; they are removed from the text first. */
const [START, STOP] = ["\ue000", "\ue001"];
const MAX_HEADLINE_CHARACTERS = 50_000;
/** Spellings with diacritics of the query's words, per message. */
const MAX_SPELLINGS = 50;
const OPTIONS = [
  `StartSel=${START}, StopSel=${STOP}`,
  `MaxFragments=2, MaxWords=25, MinWords=8, FragmentDelimiter=" … "`,
].join(", ");

/**
 * The best message of each conversation, cut around its hits, as HTML with `<mark>` alone.
 *
 * A headline has the original text, in which folded words do not occur. It highlights the words of
 * the query and the message's own spellings of them.
 */
export async function findSnippets(
  db: Database,
  ids: readonly string[],
  words: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0 || words.length === 0) return new Map();
  const anyWord = words.map((word) => `'${word}':*`).join(" | ");
  const rows = await db.query<{ id: string; headline: string }>(sql`
    select c.id, ts_headline('simple', best.content, spelt.query, ${OPTIONS}) as headline
    from core.conversations c
    cross join lateral (
      select translate(left(m.content, ${MAX_HEADLINE_CHARACTERS}), ${START + STOP}, '') as content
      from ${messagesOf(sql`c.id`)} where m.search @@ ${anyWord}::tsquery
      order by ts_rank(m.search, ${anyWord}::tsquery, 1) desc, m.id limit 1
      offset 0
    ) best
    cross join lateral (
      select concat_ws(' | ', ${anyWord}::text, string_agg(quoted, ' | '))::tsquery as query
      from (
        select '''' || replace(replace(lexeme, '\\', '\\\\'), '''', '''''') || '''' as quoted
        from unnest(case when octet_length(best.content) > char_length(best.content)
          then to_tsvector('simple', best.content) end)
        where octet_length(lexeme) > char_length(lexeme)
          and core.fold_text(lexeme) ^@ any(${[...words]}::text[])
        limit ${MAX_SPELLINGS}
      ) spelling
    ) spelt
    where c.id in (${join([...ids])})`);
  return new Map(rows.map(({ id, headline }) => [id, toHtml(headline)]));
}

function toHtml(headline: string): string {
  return headline
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
    .replaceAll(START, "<mark>")
    .replaceAll(STOP, "</mark>");
}
