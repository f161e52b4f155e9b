import sql, { join, type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { Conversation } from "./contract-messages.ts";
import { findSnippets } from "./search-snippets.ts";
import { messagesOf, readWords, type Term, toTerms } from "./search-terms.ts";
import { findConversations } from "./store.ts";

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
/** Above this share of messages, walking the user's conversations is faster than the word index. */
const COMMON_SHARE = 0.06;
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
  let matches = await findMatches(db, userId, options, terms);
  if (matches.length === 0 && terms.length > 1) {
    const share = Math.max(...terms.map((term) => term.share));
    matches = await findMatches(db, userId, options, [{ term: anyTerm, share }]);
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

/** Ids of what matches all terms, sorted as asked. The first term decides the plan. */
async function findMatches(
  db: Database,
  userId: string,
  options: SearchOptions,
  [first, ...rest]: readonly Term[],
): Promise<string[]> {
  const conditions = [
    sql`c.user_id = ${userId} and c.deleted_at is null`,
    ...options.tags.map(
      (tag) => sql`exists (
      select 1 from core.conversation_tags ct join core.tags t on t.id = ct.tag_id
      where ct.conversation_id = c.id and t.user_id = ${userId} and lower(t.name) = lower(${tag}))`,
    ),
    ...(first ? [first.share < COMMON_SHARE ? isIndexed(first) : isWithin(first)] : []),
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
