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

const MOST_TERMS = 10;
/** Marks of a hit, out of Unicode's private use, so that no text can bring its own. */
const [START, STOP] = ["\ue000", "\ue001"];
const SORTS: Record<Ask["sort"], Sql> = {
  relevance: sql`score`,
  updatedAt: sql`updated_at`,
  createdAt: sql`created_at`,
  title: sql`lower(title)`,
};

/**
 * A user's conversations in whose title and messages every word of the query occurs (or begins a word), and which have all the tags.
 * `snippet`: the best place, as HTML without any markup of its own but `<mark>`.
 */
export async function searchConversations(db: Database, userId: string, ask: Ask): Promise<{ items: Found[]; total: number }> {
  const terms = termsOf(ask.query ?? "");
  if (ask.query && terms.length === 0) return { items: [], total: 0 };
  const any = terms.join(" | ");
  const conditions = [
    sql`c.user_id = ${userId} and c.deleted_at is null`,
    ...terms.map(
      (term) => sql`c.id in (
      select conversation_id from core.messages where search @@ ${term}::tsquery union select id from core.conversations where search @@ ${term}::tsquery)`,
    ),
    ...ask.tags.map(
      (tag) => sql`exists (
      select 1 from core.conversation_tags ct join core.tags t on t.id = ct.tag_id
      where ct.conversation_id = c.id and t.user_id = ${userId} and lower(t.name) = lower(${tag}))`,
    ),
  ];
  const score =
    terms.length === 0
      ? sql`0`
      : sql`2 * ts_rank(c.search, ${any}::tsquery) + coalesce((
          select max(ts_rank(m.search, ${any}::tsquery, 1)) from core.messages m where m.conversation_id = c.id and m.search @@ ${any}::tsquery), 0)`;
  const where = join(conditions, " and ");
  const direction = ask.order === "asc" ? sql`asc` : sql`desc`;
  const hits = await db.query<{ id: string; score: number }>(sql`select id, score::float8 as score from (
      select c.id, c.title, c.created_at, c.updated_at, ${score} as score from core.conversations c where ${where}) hits
    order by ${SORTS[ask.sort]} ${direction}, id desc limit ${ask.limit} offset ${ask.offset}`);
  const [count] = await db.query<{ total: number }>(sql`select count(*)::int as total from core.conversations c where ${where}`);
  const ids = hits.map(({ id }) => id);
  const [conversations, snippets] = [await findConversations(db, ids, userId), await snippetsOf(db, ids, any)];
  const items = hits.flatMap(({ id, score: points }) => {
    const conversation = conversations.find((one) => one.id === id);
    return conversation ? [{ ...conversation, snippet: snippets.get(id) ?? "", score: points }] : [];
  });
  return { items, total: count?.total ?? 0 };
}

/** The best message of each conversation, cut around its hits. */
async function snippetsOf(db: Database, ids: readonly string[], any: string): Promise<Map<string, string>> {
  if (ids.length === 0 || any === "") return new Map();
  const options = `StartSel=${START}, StopSel=${STOP}, MaxFragments=2, MaxWords=25, MinWords=8, FragmentDelimiter=" … "`;
  const rows = await db.query<{ id: string; headline: string }>(sql`select best.conversation_id as id,
      ts_headline('simple', translate(left(best.content, 50000), ${START + STOP}, ''), ${any}::tsquery, ${options}) as headline
    from (select distinct on (conversation_id) conversation_id, content from core.messages
      where conversation_id in (${join([...ids])}) and search @@ ${any}::tsquery
      order by conversation_id, ts_rank(search, ${any}::tsquery, 1) desc, id) best`);
  return new Map(rows.map(({ id, headline }) => [id, markup(headline)]));
}

function markup(headline: string): string {
  return headline
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
    .replaceAll(START, "<mark>")
    .replaceAll(STOP, "</mark>");
}

/** Each word as a quoted prefix, so that nothing in it is an operator. */
function termsOf(query: string): string[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words)].slice(0, MOST_TERMS).map((word) => `'${word}':*`);
}
