import sql, { join, type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { Conversation } from "./contract-messages.ts";
import { findConversations } from "./store.ts";

const MAX_WORDS = 10;
/** A lexeme holds 2,046 bytes; folding takes some letters apart. */
const MAX_WORD_CHARACTERS = 500;

interface Term {
  /** A `tsquery`. */
  term: string;
  /** The estimated number of messages that contain it, of all users. */
  hits: number;
}

/**
 * The messages of a conversation, as `m`. `offset 0` is an optimization fence: without it the
 * planner, above all one without statistics, reads all messages that have the word again for each
 * conversation.
 */
function messagesOf(conversationId: Sql): Sql {
  return sql`(select * from core.messages where conversation_id = ${conversationId} offset 0) m`;
}

/**
 * The words of a query, folded as the index is. Stop words of English and German are left out,
 * unless there are no others.
 */
async function readWords(db: Database, query: string): Promise<string[]> {
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
async function toTerms(db: Database, words: readonly string[]): Promise<Term[]> {
  const terms: Term[] = [];
  for (const word of words) {
    const [prefix, exact] = [`'${word}':*`, `'${word}'`];
    // of a prefix the planner knows little; it knows how common the word itself is
    const hits = Math.max(await estimateHits(db, prefix), await estimateHits(db, exact));
    terms.push({ term: prefix, hits });
  }
  return terms.sort((a, b) => a.hits - b.hits || b.term.length - a.term.length);
}

async function estimateHits(db: Database, term: string): Promise<number> {
  const [row] = await db.query<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>(
    sql`explain (format json) select 1 from core.messages where search @@ ${term}::tsquery`,
  );
  return row?.["QUERY PLAN"][0].Plan["Plan Rows"] ?? 0;
}

/** The estimated number of messages in a user's conversations, from the mean of all. */
async function estimateOwn(db: Database, userId: string): Promise<number> {
  const [row] = await db.query<{ messages: number }>(sql`
    select count(*) * greatest((
      select m.reltuples / nullif(c.reltuples, 0) from pg_class m, pg_class c
      where m.oid = 'core.messages'::regclass and c.oid = 'core.conversations'::regclass
    ), 1)::float8 as messages
    from core.conversations where user_id = ${userId} and deleted_at is null`);
  return row?.messages ?? 0;
}

interface SearchOptions {
  query?: string | undefined;
  tags: readonly string[];
  sort: "relevance" | "updatedAt" | "createdAt" | "title";
  order: "asc" | "desc";
  limit: number;
  offset: number;
}

export type SearchResult = Conversation & { snippet: string; score: number };

/** Counting every match would scan all of them. */
const MAX_MATCHES = 1_000;
/** How many matches are ranked by relevance, the most recently active first. */
const MAX_RANKED = 200;
/** Finding a message by the word index costs so many times reading one in its conversation. */
const INDEX_COST = 2;
const MESSAGES = messagesOf(sql`c.id`);
const SORTS: Record<SearchOptions["sort"], Sql> = {
  // relevance is computed afterwards, among the most recent matches
  relevance: sql`c.updated_at`,
  updatedAt: sql`c.updated_at`,
  createdAt: sql`c.created_at`,
  title: sql`lower(c.title)`,
};

/**
 * Finds the user's conversations that have all the tags and whose title and messages contain every
 * word of the query, or a word that begins with it. If none contains every word, those that contain
 * any of them. `snippet` is HTML whose only markup is `<mark>`.
 */
export async function searchConversations(
  db: Database,
  userId: string,
  options: SearchOptions,
): Promise<{ items: SearchResult[]; total: number }> {
  const words = await readWords(db, options.query ?? "");
  if (options.query && words.length === 0) return { items: [], total: 0 };
  const terms = await toTerms(db, words);
  const anyTerm = terms.map(({ term }) => term).join(" | ");
  const own = terms.length > 0 ? await estimateOwn(db, userId) : 0;
  let matches = await findMatches(db, userId, options, terms, own);
  if (matches.length === 0 && terms.length > 1) {
    const hits = Math.max(...terms.map((term) => term.hits));
    matches = await findMatches(db, userId, options, [{ term: anyTerm, hits }], own);
  }
  const byRelevance = options.sort === "relevance";
  const scores = await scoresOf(
    db,
    byRelevance ? matches.slice(0, MAX_RANKED) : [],
    anyTerm,
  );
  const scoreOf = (id: string) => scores.get(id) ?? 0;
  const direction = options.order === "asc" ? -1 : 1;
  if (byRelevance && anyTerm) matches.sort((a, b) => direction * (scoreOf(b) - scoreOf(a)));
  const ids = matches.slice(options.offset, options.offset + options.limit);
  if (!byRelevance)
    for (const [id, score] of await scoresOf(db, ids, anyTerm)) scores.set(id, score);
  const conversations = await findConversations(db, ids, userId);
  const snippets = await findSnippets(db, ids, words);
  const items = ids.flatMap((id) => {
    const conversation = conversations.find((one) => one.id === id);
    if (!conversation) return [];
    return [{ ...conversation, snippet: snippets.get(id) ?? "", score: scoreOf(id) }];
  });
  return { items, total: matches.length };
}

/**
 * Ids of what matches all terms, sorted as asked. The first term decides the plan: by the index of
 * words, or through the user's own conversations, whichever reads less.
 */
async function findMatches(
  db: Database,
  userId: string,
  options: SearchOptions,
  [first, ...rest]: readonly Term[],
  own: number,
): Promise<string[]> {
  const byIndex = first !== undefined && first.hits * INDEX_COST < own;
  const conditions = [
    sql`c.user_id = ${userId} and c.deleted_at is null`,
    ...options.tags.map(
      (tag) => sql`exists (
      select 1 from core.conversation_tags ct join core.tags t on t.id = ct.tag_id
      where ct.conversation_id = c.id and t.user_id = ${userId} and lower(t.name) = lower(${tag}))`,
    ),
    ...(first ? [byIndex ? isIndexed(first) : isWithin(first)] : []),
    ...rest.map(isWithin),
  ];
  const ascending = options.order === "asc" && options.sort !== "relevance";
  const rows = await db.query<{ id: string }>(sql`
    select c.id from core.conversations c where ${join(conditions, " and ")}
    order by ${SORTS[options.sort]} ${ascending ? sql`asc` : sql`desc`}, c.id desc
    limit ${MAX_MATCHES}`);
  return rows.map(({ id }) => id);
}

/** Whether the conversation `c` matches, by reading its own messages. */
function isWithin({ term }: Term): Sql {
  return sql`(c.search @@ ${term}::tsquery
    or (select true from ${MESSAGES} where m.search @@ ${term}::tsquery limit 1))`;
}

/** Whether the conversation `c` matches, by the index of words. */
function isIndexed({ term }: Term): Sql {
  return sql`c.id = any(array(
      select conversation_id from core.messages where search @@ ${term}::tsquery
      union select id from core.conversations where search @@ ${term}::tsquery))`;
}

async function scoresOf(
  db: Database,
  ids: readonly string[],
  anyTerm: string,
): Promise<Map<string, number>> {
  if (ids.length === 0 || anyTerm === "") return new Map();
  const rows = await db.query<{ id: string; score: number }>(sql`
    select c.id, (2 * ts_rank(c.search, ${anyTerm}::tsquery) + coalesce((
      select max(ts_rank(m.search, ${anyTerm}::tsquery, 1)) from ${MESSAGES}
      where m.search @@ ${anyTerm}::tsquery), 0))::float8 as score
    from core.conversations c where c.id in (${join([...ids])})`);
  return new Map(rows.map(({ id, score }) => [id, score]));
}

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
async function findSnippets(
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
