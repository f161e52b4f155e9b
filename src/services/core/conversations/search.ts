import sql, { join, type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { Conversation } from "./contract.ts";
import { findConversations } from "./store.ts";

interface Ask {
  query?: string | undefined;
  tags: readonly string[];
  sort: "relevance" | "updatedAt" | "createdAt" | "title";
  order: "asc" | "desc";
  limit: number;
  offset: number;
}

export type Found = Conversation & { snippet: string; score: number };

const MAX_TERMS = 10;
/** Of what matches, the first in the order that is asked for: nobody reads further, and counting all would cost a scan of all. */
const MAX_FOUND = 1_000;
/** Of those, how many are weighed for relevance, the last active first. */
const MAX_RANKED = 200;
/** From this share of the messages on, walking the user's conversations finds enough sooner than the index of words. */
const COMMON = 0.06;
/** Marks of a hit, out of Unicode's private use, so that no text can bring its own. */
const [START, STOP] = ["\ue000", "\ue001"];
/**
 * The messages of a conversation `c`, behind a fence (`offset 0`): the planner, above all one without statistics, would otherwise read
 * all messages that have the word, again for each conversation.
 */
const MESSAGES = sql`(select * from core.messages where conversation_id = c.id offset 0) m`;
const SORTS: Record<Ask["sort"], Sql> = {
  // which of them are the most relevant is told afterwards
  relevance: sql`c.updated_at`,
  updatedAt: sql`c.updated_at`,
  createdAt: sql`c.created_at`,
  title: sql`lower(c.title)`,
};

/**
 * A user's conversations in whose title and messages every word of the query occurs (or begins a word), and which have all the tags; where
 * none has every word, those that have any. Words without meaning of their own (the, und) count only when there is no other.
 * At most the first thousand are found and counted. `snippet`: the best place, as HTML without any markup of its own but `<mark>`.
 */
export async function searchConversations(
  db: Database,
  userId: string,
  ask: Ask,
): Promise<{ items: Found[]; total: number }> {
  const terms = await rarestFirst(db, await meaningful(db, wordsOf(ask.query ?? "")));
  if (ask.query && terms.length === 0) return { items: [], total: 0 };
  const any = terms.map(({ term }) => term).join(" | ");
  let found = await candidates(db, userId, ask, terms);
  if (found.length === 0 && terms.length > 1)
    found = await candidates(db, userId, ask, [
      { term: any, share: Math.max(...terms.map(({ share }) => share)) },
    ]);
  const scores = await scoresOf(
    db,
    ask.sort === "relevance" ? found.slice(0, MAX_RANKED) : [],
    any,
  );
  const score = (id: string) => scores.get(id) ?? 0;
  const direction = ask.order === "asc" ? -1 : 1;
  const ordered =
    ask.sort === "relevance" && any
      ? found.toSorted((a, b) => direction * (score(b) - score(a)))
      : found;
  const ids = ordered.slice(ask.offset, ask.offset + ask.limit);
  if (ask.sort !== "relevance")
    for (const [id, points] of await scoresOf(db, ids, any)) scores.set(id, points);
  const [conversations, snippets] = [
    await findConversations(db, ids, userId),
    await snippetsOf(db, ids, any),
  ];
  const items = ids.flatMap((id) => {
    const conversation = conversations.find((one) => one.id === id);
    return conversation
      ? [{ ...conversation, snippet: snippets.get(id) ?? "", score: score(id) }]
      : [];
  });
  return { items, total: found.length };
}

interface Term {
  /** As PostgreSQL's full text takes it. */
  term: string;
  /** Of all messages, in how many it is said to occur. */
  share: number;
}

/** Ids of what matches all terms, in the order that is asked for. The first term decides the way there. */
async function candidates(
  db: Database,
  userId: string,
  ask: Ask,
  [first, ...rest]: readonly Term[],
): Promise<string[]> {
  const within = ({ term }: Term) =>
    sql`(c.search @@ ${term}::tsquery or (select true from ${MESSAGES} where m.search @@ ${term}::tsquery limit 1))`;
  const byIndex = ({ term }: Term) => sql`c.id = any(array(
      select conversation_id from core.messages where search @@ ${term}::tsquery
      union select id from core.conversations where search @@ ${term}::tsquery))`;
  const conditions = [
    sql`c.user_id = ${userId} and c.deleted_at is null`,
    ...ask.tags.map(
      (tag) => sql`exists (
      select 1 from core.conversation_tags ct join core.tags t on t.id = ct.tag_id
      where ct.conversation_id = c.id and t.user_id = ${userId} and lower(t.name) = lower(${tag}))`,
    ),
    ...(first ? [first.share < COMMON ? byIndex(first) : within(first)] : []),
    ...rest.map(within),
  ];
  const direction = ask.order === "asc" && ask.sort !== "relevance" ? sql`asc` : sql`desc`;
  const rows = await db.query<{
    id: string;
  }>(sql`select c.id from core.conversations c where ${join(conditions, " and ")}
    order by ${SORTS[ask.sort]} ${direction}, c.id desc limit ${MAX_FOUND}`);
  return rows.map(({ id }) => id);
}

async function scoresOf(
  db: Database,
  ids: readonly string[],
  any: string,
): Promise<Map<string, number>> {
  if (ids.length === 0 || any === "") return new Map();
  const rows = await db.query<{
    id: string;
    score: number;
  }>(sql`select c.id, (2 * ts_rank(c.search, ${any}::tsquery) + coalesce((
      select max(ts_rank(m.search, ${any}::tsquery, 1)) from ${MESSAGES} where m.search @@ ${any}::tsquery), 0))::float8 as score
    from core.conversations c where c.id in (${join([...ids])})`);
  return new Map(rows.map(({ id, score }) => [id, score]));
}

/** Without the words that English or German treat as noise, unless there are no others. */
async function meaningful(db: Database, words: readonly string[]): Promise<string[]> {
  if (words.length < 2) return [...words];
  const rows = await db.query<{
    word: string;
  }>(sql`select word from unnest(${[...words]}::text[]) word
    where ts_lexize('english_stem', word) <> '{}' and ts_lexize('german_stem', word) <> '{}'`);
  return rows.length > 0 ? rows.map(({ word }) => word) : [...words];
}

/**
 * Each word as a quoted prefix, so that nothing in it is an operator; the planner's statistics say which is rare. Where there are none yet,
 * and on an embedded database none are made, longer words pass for rarer ones.
 */
async function rarestFirst(db: Database, words: readonly string[]): Promise<Term[]> {
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

/** The best message of each conversation, cut around its hits. */
async function snippetsOf(
  db: Database,
  ids: readonly string[],
  any: string,
): Promise<Map<string, string>> {
  if (ids.length === 0 || any === "") return new Map();
  const options = `StartSel=${START}, StopSel=${STOP}, MaxFragments=2, MaxWords=25, MinWords=8, FragmentDelimiter=" … "`;
  const rows = await db.query<{
    id: string;
    headline: string;
  }>(sql`select best.conversation_id as id,
      ts_headline('simple', translate(left(best.content, 50000), ${START + STOP}, ''), ${any}::tsquery, ${options}) as headline
    from core.conversations c cross join lateral (select m.conversation_id, m.content from ${MESSAGES} where m.search @@ ${any}::tsquery
      order by ts_rank(m.search, ${any}::tsquery, 1) desc, m.id limit 1) best
    where c.id in (${join([...ids])})`);
  return new Map(rows.map(({ id, headline }) => [id, markup(headline)]));
}

function markup(headline: string): string {
  return headline
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
    .replaceAll(START, "<mark>")
    .replaceAll(STOP, "</mark>");
}

function wordsOf(query: string): string[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words)].slice(0, MAX_TERMS);
}
