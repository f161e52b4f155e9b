import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Cache } from "../../../platform/cache/cache.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { User } from "../../../platform/http/caller.ts";
import type { AgentRun } from "../contract-runs.ts";
import { conversationNotFound } from "./access.ts";
import { endedReply } from "./read-reply.ts";
import { type RunningReplies } from "./running-replies.ts";
import type { SendDeps } from "./begin-reply.ts";
import { sendMessage } from "./send-message.ts";
import { findConversation, updateConversation } from "./store.ts";

interface Ask {
  key: string;
  agentId: string;
  title: string;
  content: string;
  instructions?: string | undefined;
  waitMs: number;
}

interface Deps extends SendDeps {
  cache: Cache;
  replies: RunningReplies;
}

/** The user in whose name a sibling asks. */
function inNameOf(userId: string, clientId: string, roles: readonly string[]): User {
  return { kind: "user", userId, clientId, email: "", name: "", roles, via: "jwt" };
}

/**
 * An agent's reply in a conversation of its own, begun once for a key: asked again, it is joined or
 * told. Waits for its end as long as asked. Destructive tools wait for the person's decision, as in
 * his own conversations.
 * @throws Forbidden `user_disabled`, and what sending a message throws.
 */
export async function runAgent(
  deps: Deps,
  { userId, clientId }: Pick<User, "userId" | "clientId">,
  ask: Ask,
  signal: AbortSignal,
): Promise<AgentRun> {
  const { db, replies, sharing } = deps;
  const user = inNameOf(userId, clientId, await sharing.standingRoles(userId));
  const { key, agentId, title, content, instructions, waitMs } = ask;
  const message = {
    content,
    agentId,
    instructions,
    files: [],
    stream: false,
    approval: "destructive" as const,
  };
  const { job, reply } = await sendMessage(deps, user, message, key);
  if (job) {
    await updateConversation(db, reply.conversationId, { title });
    delete job.titleFor;
    void replies.start(job);
  }
  const now = await endedReply(
    deps,
    user,
    reply,
    AbortSignal.any([signal, AbortSignal.timeout(waitMs)]),
  );
  if (!now) throw conversationNotFound();
  return {
    conversationId: now.conversationId,
    messageId: now.id,
    status: now.status,
    waiting: now.finishReason === "approval",
    content: now.content,
    usage: now.usage,
    error: now.error,
  };
}

/** A conversation that begins with what was said elsewhere. Twice is as once. */
export async function keepTranscript(
  db: Database,
  { userId, clientId }: Pick<User, "userId" | "clientId">,
  { conversationId, title, content }: { conversationId: string; title: string; content: string },
): Promise<{ conversationId: string }> {
  await db.tx(async () => {
    const made = await db.query(sql`insert into core.conversations (id, user_id, client_id, title)
      values (${conversationId}, ${userId}, ${clientId}, ${title}) on conflict do nothing returning id`);
    if (made.length === 0) return;
    await db.query(sql`insert into core.messages (id, conversation_id, role, content, status)
      values (${uuidv7()}, ${conversationId}, 'user', ${content}, 'complete')`);
  });
  return { conversationId };
}

/** @throws NotFound for a conversation that is not the person's. */
export async function stopAgent(
  { db, replies }: Pick<Deps, "db" | "replies">,
  userId: string,
  conversationId: string,
): Promise<{ stopped: boolean }> {
  if (!(await findConversation(db, conversationId, userId))) throw conversationNotFound();
  await replies.stop(conversationId);
  return { stopped: true };
}
