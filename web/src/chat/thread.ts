import type { ConversationMessage } from "../../../src/services/core/conversations/contract.ts";

/** A message on the branch that is shown, with the versions beside it. */
export interface ThreadMessage extends ConversationMessage {
  /** Ids of all answers to the same parent, the oldest first; itself among them. */
  siblings: readonly string[];
}

/**
 * The branch of a conversation that ends at a leaf.
 * @param through a message that the branch leads through. Absent: it ends at the newest message.
 */
export function branchOf(
  messages: readonly ConversationMessage[],
  through?: string,
): ThreadMessage[] {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const children = Map.groupBy(messages, ({ parentId }) => parentId);
  const chosen = through === undefined ? undefined : byId.get(through);
  const branch: ThreadMessage[] = [];
  let current = chosen ? newestLeaf(chosen, children) : messages.at(-1);
  while (current) {
    const siblings = (children.get(current.parentId) ?? []).map(({ id }) => id);
    branch.push({ ...current, siblings });
    current = current.parentId === null ? undefined : byId.get(current.parentId);
  }
  return branch.reverse();
}

function newestLeaf(
  from: ConversationMessage,
  children: Map<string | null, ConversationMessage[]>,
): ConversationMessage {
  let leaf = from;
  for (let next = children.get(leaf.id)?.at(-1); next; next = children.get(leaf.id)?.at(-1)) {
    leaf = next;
  }
  return leaf;
}
