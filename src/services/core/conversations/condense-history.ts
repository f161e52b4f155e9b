import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { StoredMessage } from "./attachments.ts";
import { type BranchMessage, readBranch } from "./store.ts";
import { CHARACTERS, MAX_BRANCH_MESSAGES, turnsOf } from "./history.ts";

/**
 * A thread that fills more of the context than the first is summed up until it fills about the
 * second.
 */
const [FULL, LEFT] = [0.5, 0.25];

/**
 * Whether a thread, as it was sent to the model and with its reply, may be worth condensing:
 * without a look into the database.
 */
export function isLong(thread: readonly StoredMessage[], contextWindow: number): boolean {
  let left = contextWindow * CHARACTERS * FULL;
  return thread.some((message) => (left -= JSON.stringify(message).length) < 0);
}

/**
 * Sums up the older part of a long thread, so that later messages need not carry it and nothing of
 * it is lost without a trace. Does nothing to a short one. `summarise` turns a text into a shorter
 * one.
 */
export async function condenseHistory(
  db: Database,
  { messageId, contextWindow }: { messageId: string; contextWindow: number },
  summarise: (text: string) => Promise<string>,
): Promise<void> {
  const branch = await readBranch(db, messageId, MAX_BRANCH_MESSAGES);
  const sizes = branch.map(sizeOf);
  const room = contextWindow * CHARACTERS;
  if (sizes.reduce((sum, size) => sum + size, 0) < room * FULL) return;
  let kept = 0;
  let from = branch.length;
  while (from > 1 && kept + (sizes[from - 1] ?? 0) < room * LEFT) {
    from -= 1;
    kept += sizes[from] ?? 0;
  }
  const last = branch[from - 1];
  if (!last || last.summary !== null) return;
  const text = branch
    .slice(0, from)
    .map(said)
    .join("\n\n")
    .slice(-room * FULL);
  const summary = await summarise(text);
  await db.query(sql`update core.messages set summary = ${summary} where id = ${last.id}`);
}

function sizeOf(message: BranchMessage): number {
  return message.summary?.length ?? JSON.stringify(turnsOf(message)).length;
}

function said({ role, content, summary }: BranchMessage): string {
  return summary === null
    ? `${role === "user" ? "Person" : "Assistant"}: ${content}`
    : `Summary of what came before: ${summary}`;
}
