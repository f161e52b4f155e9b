import sql, { join, type Sql } from "sql-template-tag";
import { csvLine } from "../../../platform/csv-line.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { User } from "../../../platform/http/caller.ts";
import { visibleConversations } from "../conversations/access.ts";
import type { Sharing } from "../sharing.ts";
import { agentNames } from "../usage/describe-budgets.ts";
import type { FindNames } from "../user-names.ts";
import type { Feedback, FeedbackFilter } from "./contract.ts";

export interface FeedbackDeps {
  db: Database;
  findNames: FindNames;
  sharing: Sharing;
}

interface Row extends Omit<Feedback, "at" | "userName" | "agentName" | "conversationId"> {
  conversationId: string;
  at: Date;
  /** The same time, as exact as it is stored. */
  exactly: string;
}

const EXPORT_PAGE_SIZE = 200;
const ORDER = sql`r.created_at desc, r.message_id desc, r.user_id desc`;
const COLUMNS = sql`r.reaction, r.reasons, r.comment, r.user_id as "userId", r.model,
  r.agent_id as "agentId", r.message_id as "messageId",
  m.conversation_id as "conversationId", r.created_at as at, r.created_at::text as exactly`;

/** A page of what people of the reader's tenant think of answers, the newest first. */
export async function listFeedback(
  deps: FeedbackDeps,
  reader: User,
  filter: FeedbackFilter,
  limit: number,
  offset: number,
) {
  const where = matches(reader.clientId, filter);
  const rows = await deps.db.query<Row>(sql`
    select ${COLUMNS} from core.message_reactions r
    join core.messages m on m.id = r.message_id
    where ${where} order by ${ORDER} limit ${limit} offset ${offset}`);
  const [count] = await deps.db.query<{ total: number }>(
    sql`select count(*)::int as total from core.message_reactions r where ${where}`,
  );
  return { items: await describe(deps, reader, rows), total: count?.total ?? 0 };
}

/** The same as a file. Reads a page when the client has taken the previous one. */
export function exportFeedback(
  deps: FeedbackDeps,
  reader: User,
  filter: FeedbackFilter,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const where = matches(reader.clientId, filter);
  let last: Row | undefined;
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(`${BYTE_ORDER_MARK}${FIELDS.join(",")}\r\n`));
    },
    async pull(controller) {
      const rows = await deps.db.query<Row>(sql`
        select ${COLUMNS} from core.message_reactions r
        join core.messages m on m.id = r.message_id
        where ${where} and ${isAfter(last)} order by ${ORDER} limit ${EXPORT_PAGE_SIZE}`);
      const lines = (await describe(deps, reader, rows)).map(
        (feedback) => `${csvLine(FIELDS.map((field) => toCell(feedback[field])))}\r\n`,
      );
      if (lines.length > 0) controller.enqueue(encoder.encode(lines.join("")));
      last = rows.at(-1);
      if (rows.length < EXPORT_PAGE_SIZE) controller.close();
    },
  });
}

/** So that spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";
const FIELDS = [
  "at",
  "reaction",
  "reasons",
  "comment",
  "userId",
  "userName",
  "model",
  "agentId",
  "agentName",
  "conversationId",
  "messageId",
] as const;

const toCell = (value: Feedback[(typeof FIELDS)[number]]) =>
  Array.isArray(value) ? value.join(" ") : value;

function isAfter(last: Row | undefined): Sql {
  if (!last) return sql`true`;
  const { exactly, messageId, userId } = last;
  return sql`(r.created_at, r.message_id, r.user_id)
    < (${exactly}::timestamptz, ${messageId}::uuid, ${userId})`;
}

/** The index of a tenant's reactions serves it, newest first; the rest of the filter is on top. */
function matches(clientId: string, filter: FeedbackFilter): Sql {
  const { reaction, reason, model, agentId, from, to } = filter;
  const parts = [sql`r.client_id = ${clientId}`];
  if (reaction !== undefined) parts.push(sql`r.reaction = ${reaction}`);
  if (reason !== undefined) parts.push(sql`${reason} = any(r.reasons)`);
  if (model !== undefined) parts.push(sql`r.model = ${model}`);
  if (agentId !== undefined) parts.push(sql`r.agent_id = ${agentId}`);
  if (from !== undefined) parts.push(sql`r.created_at >= ${from}::timestamptz`);
  if (to !== undefined) parts.push(sql`r.created_at < ${to}::timestamptz`);
  return join(parts, " and ");
}

/** Adds names, and leaves out conversations that the reader may not read. */
async function describe(
  deps: FeedbackDeps,
  reader: User,
  rows: readonly Row[],
): Promise<Feedback[]> {
  if (rows.length === 0) return [];
  const conversations = [...new Set(rows.map(({ conversationId }) => conversationId))];
  const [users, agents, visible] = await Promise.all([
    deps.findNames(
      rows.map(({ userId }) => userId),
      reader.clientId,
    ),
    agentNames(
      deps.db,
      rows.flatMap(({ agentId }) => agentId ?? []),
      reader.clientId,
    ),
    visibleConversations(deps, reader, conversations),
  ]);
  const readable = new Set(visible.map(({ id }) => id));
  return rows.map(({ exactly: _, ...row }) => ({
    ...row,
    at: row.at.toISOString(),
    userName: users.get(row.userId) ?? null,
    agentName: (row.agentId && agents.get(row.agentId)) || null,
    conversationId: readable.has(row.conversationId) ? row.conversationId : null,
  }));
}
