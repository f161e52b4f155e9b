import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import { shortenText } from "../../../../platform/shorten-text.ts";
import { type User, userOf } from "../../../../platform/http/caller.ts";
import { BadRequest } from "../../../../platform/http/errors.ts";
import type { Routes } from "../../../../platform/http/routes.ts";
import {
  type AccessDeps,
  conversationFor,
  conversationNotFound,
} from "../../conversations/access.ts";
import type { ConversationMessage } from "../../conversations/contract-messages.ts";
import { readThread } from "../../conversations/read-thread.ts";
import { type ConversationLimits, refuseFull } from "../../conversations/refuse-full.ts";
import type { Register } from "../../conversations/register-new.ts";
import { deleteConversation } from "../../conversations/store.ts";
import type { ReplyRunner } from "../../replies/reply-runner.ts";
import {
  type ConversationItem,
  openAiConversationsContract as contract,
} from "./contract.ts";
import { toList } from "../to-list.ts";
import { insertFirstMessages, toFirstMessages } from "./begin-with.ts";
import { toOwnId, toPublicId } from "./ids.ts";

interface Deps extends ConversationLimits, AccessDeps {
  register: Register;
  runner: Pick<ReplyRunner, "stop">;
}

const MAX_TITLE_CHARACTERS = 200;
/** Messages that are read to list them from the oldest on. */
const MAX_FROM_OLDEST = 1_000;

/** Conversations as OpenAI's clients begin, read and delete them. */
export function openAiConversationRoutes(routes: Routes, deps: Deps): void {
  const { db } = deps;
  const reach = (user: User, id: string, role: "viewer" | "owner") => {
    const own = toOwnId("conv", id);
    if (own === undefined) throw conversationNotFound();
    return conversationFor(deps, user, own, role);
  };
  routes
    .on(contract.createOpenAiConversation, async ({ body, caller }) => {
      const { userId, clientId } = userOf(caller);
      const messages = toFirstMessages(body.items ?? []);
      await refuseFull(deps, userId, undefined);
      const id = uuidv7();
      const title = shortenText(body.metadata?.["title"] ?? "", MAX_TITLE_CHARACTERS);
      await db.tx(async () => {
        await db.query(sql`insert into core.conversations (id, user_id, client_id, title)
          values (${id}, ${userId}, ${clientId}, ${title})`);
        await insertFirstMessages(db, id, messages);
      });
      await deps.register({ id, ownerId: userId });
      return toView({ id, title, createdAt: new Date().toISOString() });
    })
    .on(contract.readOpenAiConversation, async ({ params, caller }) =>
      toView(await reach(userOf(caller), params.conversation, "viewer")),
    )
    .on(contract.deleteOpenAiConversation, async ({ params, caller }) => {
      const { id } = await reach(userOf(caller), params.conversation, "owner");
      await deps.runner.stop(id);
      await deleteConversation(db, id);
      const deleted = { object: "conversation.deleted" as const, deleted: true as const };
      return { id: params.conversation, ...deleted };
    })
    .on(contract.listOpenAiConversationItems, async ({ params, query, caller }) => {
      const user = userOf(caller);
      const { id: conversationId } = await reach(user, params.conversation, "viewer");
      const after = query.after === undefined ? undefined : ownMessage(query.after);
      const asked = { conversationId, leaf: undefined, reader: user.userId };
      if (query.order === "desc") {
        const page = await readThread(db, { ...asked, before: after, limit: query.limit });
        return toList(page.items.toReversed().map(toItem), page.before !== null);
      }
      const whole = await readThread(db, {
        ...asked,
        before: undefined,
        limit: MAX_FROM_OLDEST,
      });
      if (whole.before !== null) throw tooLong();
      const from = after ? whole.items.findIndex(({ id }) => id === after) + 1 : 0;
      const items = whole.items.slice(from, from + query.limit);
      return toList(items.map(toItem), from + query.limit < whole.items.length);
    });
}

interface Shown {
  id: string;
  title: string | null;
  createdAt: string;
}

function toView({ id, title, createdAt }: Shown) {
  const metadata: Record<string, string> = title ? { title } : {};
  return {
    id: toPublicId("conv", id),
    object: "conversation" as const,
    created_at: Math.floor(Date.parse(createdAt) / 1_000),
    metadata,
  };
}

function toItem({ id, role, content, status }: ConversationMessage): ConversationItem {
  const text = { text: content };
  return {
    id: toPublicId("msg", id),
    type: "message",
    role,
    status: status === "streaming" ? "in_progress" : STATES[status],
    content: [
      role === "user"
        ? { type: "input_text", ...text }
        : { type: "output_text", ...text, annotations: [] },
    ],
  };
}

const STATES = {
  complete: "completed",
  stopped: "incomplete",
  failed: "incomplete",
} as const;

/** @throws BadRequest for an id of no message. */
function ownMessage(id: string): string {
  const own = toOwnId("msg", id);
  if (own !== undefined) return own;
  throw new BadRequest(
    "item_not_found",
    `The conversation has no item "${id}". Send the id of one that it listed.`,
  );
}

function tooLong(): BadRequest {
  return new BadRequest(
    "conversation_too_long",
    `The conversation has more than ${MAX_FROM_OLDEST} messages. Read it with order=desc.`,
  );
}
