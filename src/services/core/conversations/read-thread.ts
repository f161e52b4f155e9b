import type { Database } from "../../../platform/db/database.ts";
import { TooLarge } from "../../../platform/http/errors.ts";
import { inGroups } from "../../../platform/in-groups.ts";
import { messageNotFound } from "./reactions.ts";
import { MAX_ANSWER_CHARACTERS } from "../max-answer.ts";
import {
  listMessageIds,
  listMessages,
  listMessageTree,
  measureMessages,
  type MessageLink,
  readMessagesById,
} from "./store.ts";
import type { Conversation, ThreadPage, WholeConversation } from "./contract-messages.ts";

interface Ask {
  conversationId: string;
  /** Any message of the branch; undefined: the newest message. */
  leaf: string | undefined;
  /** The first message of the page before. */
  before: string | undefined;
  limit: number;
  /** The user whose reactions are included. */
  reader: string;
}

/**
 * A page of one branch of a conversation, upwards from its newest message.
 * @throws NotFound `message_not_found` for a message of another conversation.
 */
export async function readThread(
  db: Database,
  { conversationId, leaf, before, limit, reader }: Ask,
): Promise<ThreadPage> {
  const tree = new MessageTree(await listMessageTree(db, conversationId));
  const bottom = tree.newestBelow(leaf);
  const start = before === undefined ? bottom : tree.parentOf(before);
  const branch = await newestThatFit(db, tree.branchTo(start, limit));
  const stored = await readMessagesById(
    db,
    branch.map(({ id }) => id),
    reader,
  );
  const byId = new Map(stored.map((message) => [message.id, message]));
  const items = branch.flatMap(({ id }) => {
    const message = byId.get(id);
    return message ? [{ ...message, ...tree.siblingsOf(id) }] : [];
  });
  const first = branch[0];
  const hasMore = first !== undefined && first.parentId !== null;
  return { items, leaf: bottom ?? null, before: hasMore ? first.id : null };
}

/** Leaves out the oldest messages of a page that has more characters than an answer may have. */
async function newestThatFit(db: Database, branch: MessageLink[]): Promise<MessageLink[]> {
  const sizes = await measureMessages(
    db,
    branch.map(({ id }) => id),
  );
  let room = MAX_ANSWER_CHARACTERS;
  const first = branch.findLastIndex(({ id }) => (room -= sizes.get(id) ?? 0) < 0);
  // a page has at least one message
  return branch.slice(Math.min(first + 1, branch.length - 1));
}

/** The maximum number of sibling ids in an answer: those nearest to the message. */
const MAX_SIBLINGS = 50;

/** The messages of a conversation by their parents, the oldest first. */
class MessageTree {
  readonly #byId: Map<string, MessageLink>;
  readonly #children = new Map<string | null, string[]>();
  readonly #newest: string | undefined;

  constructor(links: readonly MessageLink[]) {
    this.#byId = new Map(links.map((link) => [link.id, link]));
    this.#newest = links.at(-1)?.id;
    for (const { id, parentId } of links) {
      const children = this.#children.get(parentId);
      if (children) children.push(id);
      else this.#children.set(parentId, [id]);
    }
  }

  parentOf(id: string): string | undefined {
    return this.#find(id).parentId ?? undefined;
  }

  /** Returns the end of the branch that follows the newest reply at each message. */
  newestBelow(id: string | undefined): string | undefined {
    let leaf = id === undefined ? this.#newest : this.#find(id).id;
    for (let next = leaf; next !== undefined; next = this.#children.get(next)?.at(-1))
      leaf = next;
    return leaf;
  }

  /** At most `limit` messages that end with this one, the oldest first. */
  branchTo(id: string | undefined, limit: number): MessageLink[] {
    const branch: MessageLink[] = [];
    for (let at = id; at !== undefined && branch.length < limit;) {
      const link = this.#find(at);
      branch.unshift(link);
      at = link.parentId ?? undefined;
    }
    return branch;
  }

  siblingsOf(id: string): { siblings: string[]; position: number; siblingCount: number } {
    const all = this.#children.get(this.#find(id).parentId) ?? [id];
    const position = all.indexOf(id);
    const from = Math.max(
      0,
      Math.min(position - MAX_SIBLINGS / 2, all.length - MAX_SIBLINGS),
    );
    const siblings = all.slice(from, from + MAX_SIBLINGS);
    return { siblings, position, siblingCount: all.length };
  }

  #find(id: string): MessageLink {
    const link = this.#byId.get(id);
    if (!link) throw messageNotFound();
    return link;
  }
}

/** The database reads all characters of these to count them. */
const MEASURED_AT_ONCE = 200;

/**
 * Conversations with all their messages. `reader`: the user whose reactions are included.
 * @throws TooLarge `conversation_too_large` where they do not fit into one answer.
 */
export async function readWhole(
  db: Database,
  conversations: readonly Conversation[],
  reader: string | undefined,
): Promise<WholeConversation[]> {
  if (conversations.length === 0) return [];
  const ids = conversations.map(({ id }) => id);
  await refuseLarge(db, await listMessageIds(db, ids));
  const messages = await listMessages(db, ids, reader);
  return conversations.map((conversation) => ({
    ...conversation,
    messages: messages.filter(({ conversationId }) => conversationId === conversation.id),
  }));
}

async function refuseLarge(db: Database, ids: readonly string[]): Promise<void> {
  let room = MAX_ANSWER_CHARACTERS;
  for (const some of inGroups(ids, MEASURED_AT_ONCE)) {
    const sizes = await measureMessages(db, some);
    for (const size of sizes.values()) room -= size;
    if (room < 0) throw conversationTooLarge();
  }
}

function conversationTooLarge(): TooLarge {
  return new TooLarge(
    "conversation_too_large",
    `The messages have more than ${MAX_ANSWER_CHARACTERS} characters. Read them page by page ` +
      "at /messages, or export the conversation.",
    { params: { max: MAX_ANSWER_CHARACTERS } },
  );
}
