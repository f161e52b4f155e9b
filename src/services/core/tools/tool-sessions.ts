import { randomUUID } from "node:crypto";
import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb } from "../../../platform/db/jsonb.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import type { EndsBecause } from "../../agent-loop/contract-events.ts";
import type { CarriedLabel } from "../../users/contract-judge-labels.ts";
import type { Resource } from "../../users/contract-sharing.ts";
import type { Labels } from "../labels/labels.ts";
import type { Source } from "../sources/contract.ts";
import type { RetrievalPlan } from "../sources/plan-retrieval.ts";

/** What a tool session stores about the agent run that calls the platform's tools. */
export interface ToolSession {
  id: string;
  /** The user in whose name the tools act. */
  userId: string;
  /** Absent when the run belongs to no conversation. */
  conversationId?: string | undefined;
  /** The reply that the run makes. Absent when it is not stored. */
  messageId?: string | undefined;
  /** The names of the tools that it may call. */
  tools: string[];
  /** The memory that the flows of the run share. */
  flowSession: string;
  /** Absent when the run does not search documents. */
  retrieval?: RetrievalPlan | undefined;
  /** Of the model, in tokens. */
  contextWindow: number;
  /** The model that answers, and the agent that it answers for. */
  model?: string | undefined;
  agentId?: string | undefined;
  /** Of all that the run has read. */
  labels: CarriedLabel[];
  /** The run ends with this call. It is not stored. */
  endsBecause?: EndsBecause;
  /** Of this call, as the model made it. It is not stored. */
  callId?: string;
}

type Definition = Omit<ToolSession, "id" | "endsBecause" | "callId" | "labels">;

/**
 * Opens a session under an id that cannot be guessed. It is stored, so that every replica can run
 * its tools. `sources`, `labels`: what the run has already.
 */
export async function openToolSession(
  db: Database,
  definition: Definition,
  sources: readonly Source[],
  labels: readonly CarriedLabel[] = [],
): Promise<ToolSession> {
  const id = randomUUID();
  await db.query(sql`insert into core.tool_sessions (id, user_id, definition, sources, labels)
    values (${id}, ${definition.userId}, ${jsonb(definition)}, ${jsonb(sources)},
      ${jsonb(labels)})`);
  return { id, ...definition, labels: [...labels] };
}

/** @throws NotFound `tool_session_ended`. */
export async function findToolSession(db: Database, id: string): Promise<ToolSession> {
  const [row] = await db.query<{ definition: Definition; labels: CarriedLabel[] }>(
    sql`select definition, labels from core.tool_sessions where id = ${id}`,
  );
  if (!row) throw sessionEnded();
  return { id, ...row.definition, labels: row.labels };
}

export async function closeToolSession(db: Database, id: string): Promise<void> {
  await db.query(sql`delete from core.tool_sessions where id = ${id}`);
}

/**
 * Changes the passages that a run has. Calls of one run take turns, so that each passage gets one
 * number.
 * @param choose chooses the passages to add, given those that the run has.
 * @returns the passages before, and those that were added.
 * @throws NotFound `tool_session_ended`.
 */
export async function addSources(
  db: Database,
  id: string,
  choose: (known: readonly Source[]) => Source[],
): Promise<{ known: Source[]; added: Source[] }> {
  return db.tx(async () => {
    const [row] = await db.query<{ sources: Source[] }>(
      sql`select sources from core.tool_sessions where id = ${id} for update`,
    );
    if (!row) throw sessionEnded();
    const added = choose(row.sources);
    if (added.length > 0)
      await db.query(sql`update core.tool_sessions
        set sources = sources || ${jsonb(added)} where id = ${id}`);
    return { known: row.sources, added };
  });
}

/**
 * Collects the labels of what a tool has read: the session and the conversation have them before
 * the model has what was read.
 * @returns all that the run has, and those that are new.
 */
export async function addLabels(
  { db, labels }: { db: Database; labels: Labels },
  session: ToolSession,
  read: readonly Resource[],
): Promise<{ all: CarriedLabel[]; added: CarriedLabel[] }> {
  const known = session.labels;
  if (read.length === 0) return { all: known, added: [] };
  const all = await labels.collect(session, read, known);
  const added = all.filter(({ id }) => !known.some((label) => label.id === id));
  if (added.length > 0)
    await db.query(sql`update core.tool_sessions set labels = labels || ${jsonb(added)}
      where id = ${session.id}`);
  return { all, added };
}

/** The passages that a run has. @throws NotFound `tool_session_ended`. */
export async function readSources(db: Database, id: string): Promise<Source[]> {
  const [row] = await db.query<{ sources: Source[] }>(
    sql`select sources from core.tool_sessions where id = ${id}`,
  );
  if (!row) throw sessionEnded();
  return row.sources;
}

/** Deletes sessions whose process died. @returns how many. */
export async function deleteLostToolSessions(db: Database): Promise<number> {
  const rows = await db.query(sql`delete from core.tool_sessions where id in (
    select id from core.tool_sessions where created_at < now() - interval '1 day' limit 500)
    returning id`);
  return rows.length;
}

function sessionEnded(): NotFound {
  return new NotFound(
    "tool_session_ended",
    "The reply that uses this tool has ended. Start a new reply to use the tool again.",
  );
}
