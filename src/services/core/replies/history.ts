import type { Database } from "../../../platform/db/database.ts";
import { CHARACTERS_PER_TOKEN } from "../../../platform/estimate-tokens.ts";
import { Conflict } from "../../../platform/http/errors.ts";
import type { Message } from "../../completion/contract.ts";
import type { StoredMessage } from "../conversations/attachments.ts";
import { type BranchMessage, readBranch } from "../conversations/store.ts";

/** Messages of a branch that are read; a long branch has a summary before. */
export const MAX_BRANCH_MESSAGES = 400;
/** How much of a thread is read for a context. The database writes JSON with more white space. */
export const READ_SHARE = 2;
/** The share of the context that the thread may fill; the rest is for tools and the reply. */
const THREAD_SHARE = 0.75;

/**
 * The branch that ends with a message, as the model reads it: from the newest summary on, the
 * newest turns that fit the context. The cost does not grow with the length of the thread.
 * @throws Conflict `reply_in_progress` when a reply of the branch is in progress.
 */
export async function historyOf(
  db: Database,
  messageId: string,
  contextWindow: number,
): Promise<StoredMessage[]> {
  let room = contextWindow * CHARACTERS_PER_TOKEN * THREAD_SHARE;
  const branch = await readBranch(db, messageId, {
    maxMessages: MAX_BRANCH_MESSAGES,
    maxCharacters: room * READ_SHARE,
  });
  if (branch.some(({ inProgress }) => inProgress)) throw replyInProgress();
  const turns = branch.map(turnsOf);
  let from = turns.length;
  while (from > 0) {
    room -= JSON.stringify(turns[from - 1]).length;
    if (room < 0 && from < turns.length) break;
    from -= 1;
  }
  return turns.slice(from).flat();
}

/** A message as the model reads it; a summary stands for the message and all before it. */
export function turnsOf({
  role,
  content,
  history,
  summary,
}: Omit<BranchMessage, "inProgress">): StoredMessage[] {
  if (summary !== null)
    return [
      { role: "system", content: `Summary of the conversation until here: ${summary}` },
    ];
  if (history.length > 0) return [...history, ...resultsOfUndecided(history)];
  return content ? [{ role, content }] : [];
}

/**
 * Results for the calls that the user left undecided. Providers refuse a thread with a call that
 * has no result.
 */
function resultsOfUndecided(history: readonly StoredMessage[]): StoredMessage[] {
  const answered = new Set(history.map(({ toolCallId }) => toolCallId));
  const calls = history.flatMap(({ toolCalls = [] }) => toolCalls);
  return calls
    .filter(({ id }) => !answered.has(id))
    .map(({ id }) => ({
      role: "tool",
      toolCallId: id,
      content: "not_run: the user went on without deciding on this call.",
    }));
}

export function replyInProgress(): Conflict {
  return new Conflict(
    "reply_in_progress",
    "A reply of this branch is in progress. Wait for its end or stop it, then try again; " +
      "or name another message as parentMessageId.",
  );
}

/** What a person typed: the parts after it are files. */
export function typedText({ content }: Message): string {
  if (typeof content === "string") return content;
  const [first] = content;
  return first?.type === "text" ? first.text : "";
}
