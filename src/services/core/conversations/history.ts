import type { Database } from "../../../platform/db/database.ts";
import type { StoredMessage } from "./attachments.ts";
import { type BranchMessage, readBranch } from "./store.ts";

/** Of a token, about. */
export const CHARACTERS = 4;
/** Messages of a branch that are looked at; a summary stands before long. */
export const MAX_BRANCH_MESSAGES = 400;
/** The share of the context that what was said may fill; the rest is for tools and the reply. */
const SHARE = 0.75;

/**
 * The branch that a message ends, as the model reads it: from the newest summary on, the newest turns that fit the context. Costs the
 * same however long the thread is.
 */
export async function historyOf(
  db: Database,
  messageId: string,
  contextWindow: number,
): Promise<StoredMessage[]> {
  const turns = (await readBranch(db, messageId, MAX_BRANCH_MESSAGES)).map(turnsOf);
  let room = contextWindow * CHARACTERS * SHARE;
  let from = turns.length;
  while (from > 0) {
    room -= JSON.stringify(turns[from - 1]).length;
    if (room < 0 && from < turns.length) break;
    from -= 1;
  }
  return turns.slice(from).flat();
}

/** A message as the model reads it; one with a summary stands for all that came before as well. */
export function turnsOf({ role, content, history, summary }: BranchMessage): StoredMessage[] {
  if (summary !== null)
    return [{ role: "system", content: `Summary of the conversation until here: ${summary}` }];
  if (history.length > 0) return history;
  return content ? [{ role, content }] : [];
}
