import type { Database } from "../../../platform/db/database.ts";
import { Conflict } from "../../../platform/http/errors.ts";
import type { StoredMessage } from "./attachments.ts";
import { type BranchMessage, readBranch } from "./store.ts";

/** Of a token, about. */
export const CHARACTERS = 4;
/** Messages of a branch that are looked at; a summary stands before long. */
export const MAX_BRANCH_MESSAGES = 400;
/** The share of the context that what was said may fill; the rest is for tools and the reply. */
const SHARE = 0.75;

/**
 * The branch that a message ends, as the model reads it: from the newest summary on, the newest
 * turns that fit the context. Costs the same however long the thread is.
 * @throws Conflict `reply_in_progress` when a reply of the branch is still being made.
 */
export async function historyOf(
  db: Database,
  messageId: string,
  contextWindow: number,
): Promise<StoredMessage[]> {
  const branch = await readBranch(db, messageId, MAX_BRANCH_MESSAGES);
  if (branch.some(({ inProgress }) => inProgress)) throw replyInProgress();
  const turns = branch.map(turnsOf);
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
export function turnsOf({
  role,
  content,
  history,
  summary,
}: Omit<BranchMessage, "inProgress">): StoredMessage[] {
  if (summary !== null)
    return [{ role: "system", content: `Summary of the conversation until here: ${summary}` }];
  if (history.length > 0) return [...history, ...resultsOfUndecided(history)];
  return content ? [{ role, content }] : [];
}

/**
 * Providers refuse a thread with a call that nothing answers: a person went on without deciding.
 */
function resultsOfUndecided(history: readonly StoredMessage[]): StoredMessage[] {
  const answered = new Set(history.map(({ toolCallId }) => toolCallId));
  const calls = history.flatMap(({ toolCalls = [] }) => toolCalls);
  return calls
    .filter(({ id }) => !answered.has(id))
    .map(({ id }) => ({
      role: "tool",
      toolCallId: id,
      content: "not_run: the person went on without deciding on this call.",
    }));
}

export function replyInProgress(): Conflict {
  return new Conflict(
    "reply_in_progress",
    "A reply of this branch is still being made. Wait for its end or stop it, then try again; " +
      "or name another message as parentMessageId.",
  );
}
