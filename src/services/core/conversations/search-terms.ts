import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";

const MAX_WORDS = 10;
/** A lexeme holds 2,046 bytes; folding takes some letters apart. */
const MAX_WORD_CHARACTERS = 500;

export interface Term {
  /** A `tsquery`. */
  term: string;
  /** The estimated share of all messages that contain it. */
  share: number;
}

/**
 * The messages of a conversation, as `m`. `offset 0` is an optimization fence: without it the
 * planner, above all one without statistics, reads all messages that have the word again for each
 * conversation.
 */
export function messagesOf(conversationId: Sql): Sql {
  return sql`(select * from core.messages where conversation_id = ${conversationId} offset 0) m`;
}

/**
 * The words of a query, folded as the index is. Stop words of English and German are left out,
 * unless there are no others.
 */
export async function readWords(db: Database, query: string): Promise<string[]> {
  const words =
    query
      .normalize("NFC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const unique = [...new Set(words)].slice(0, MAX_WORDS);
  if (unique.length === 0) return [];
  const rows = await db.query<{ folded: string; meaningful: boolean }>(sql`
    select left(core.fold_text(word), ${MAX_WORD_CHARACTERS}) as folded,
      ts_lexize('english_stem', word) <> '{}' and ts_lexize('german_stem', word) <> '{}'
        as meaningful
    from unnest(${unique}::text[]) with ordinality as words (word, position)
    where core.fold_text(word) <> '' order by position`);
  const meaningful = rows.filter((row) => row.meaningful);
  const used = meaningful.length > 0 ? meaningful : rows;
  return [...new Set(used.map(({ folded }) => folded))];
}

/**
 * Each word as a quoted prefix, so that nothing in it is an operator, the rarest first by the
 * planner's statistics. Without statistics, as on an embedded database before the first refresh,
 * longer words count as rarer.
 */
export async function toTerms(db: Database, words: readonly string[]): Promise<Term[]> {
  const terms = words
    .map((word) => ({ term: `'${word}':*`, share: 0 }))
    .sort((a, b) => b.term.length - a.term.length);
  if (terms.length === 0) return terms;
  const [size] = await db.query<{ messages: number }>(
    sql`select reltuples::float8 as messages from pg_class where oid = 'core.messages'::regclass`,
  );
  if (!size || size.messages <= 0) return terms;
  for (const one of terms) {
    const [row] = await db.query<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>(
      sql`explain (format json) select 1 from core.messages where search @@ ${one.term}::tsquery`,
    );
    one.share = (row?.["QUERY PLAN"][0].Plan["Plan Rows"] ?? 0) / size.messages;
  }
  return terms.sort((a, b) => a.share - b.share);
}
