import type { AgentCard, Task } from "@a2a-js/sdk";
import { TaskNotFoundError, UnsupportedOperationError } from "@a2a-js/sdk/errors";
import { z } from "zod";
import type { Cache } from "../../../platform/cache/cache.ts";
import type { User } from "../../../platform/http/caller.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import { conversationFor } from "../conversations/access.ts";
import type { ConversationMessage } from "../conversations/contract-messages.ts";
import { findMessage } from "../conversations/store.ts";
import type { FilesOf } from "../given-files/given-files.ts";
import type { ReceiveDeps } from "../replies/begin-reply.ts";
import type { ReplyRunner } from "../replies/reply-runner.ts";
import { findReply, type ReplyRow } from "../replies/store.ts";
import type { Version } from "./receivers-store.ts";
import { toTask } from "./to-task.ts";

export interface TaskDeps extends ReceiveDeps {
  cache: Cache;
  runner: ReplyRunner;
  filesOf: FilesOf;
  outgoing: Pick<Outgoing, "check">;
  encryptionKey: string;
}

/** Who asks, and of which agent. */
export interface TaskOptions {
  user: User;
  agentId: string;
  card: AgentCard;
  /** Of the client. */
  version: Version;
  /** Of the request. */
  signal: AbortSignal;
  log: Logger;
}

/** A task of this agent that the user may see, or change. @throws TaskNotFoundError. */
export async function findTask(
  deps: TaskDeps,
  { user, agentId }: TaskOptions,
  id: string,
  needed: "viewer" | "editor",
): Promise<ReplyRow> {
  if (!z.uuid().safeParse(id).success) throw notFound(id);
  const reply = await findReply(deps.db, id);
  const message = reply && (await findMessage(deps.db, id));
  if (!reply || message?.agentId !== agentId) throw notFound(id);
  try {
    await conversationFor(deps, user, reply.conversationId, needed);
  } catch (error) {
    throw error instanceof NotFound ? notFound(id) : error;
  }
  return reply;
}

/** A task in a conversation of the user's own. */
export async function findOwnTask(
  deps: TaskDeps,
  options: TaskOptions,
  id: string,
): Promise<ReplyRow> {
  const reply = await findTask(deps, options, id, "editor");
  await checkOwn(deps, options, reply.conversationId);
  return reply;
}

/** Whoever may only read along could receive its end after that right is gone. */
export async function checkOwn(
  deps: TaskDeps,
  { user }: TaskOptions,
  conversationId: string,
): Promise<void> {
  const { userId } = await conversationFor(deps, user, conversationId, "editor");
  if (userId !== user.userId)
    throw new UnsupportedOperationError(
      "Push notifications are for tasks in conversations of your own. Follow this one by " +
        "SubscribeToTask.",
    );
}

/** The task as it is now, with the message that it answers unless its history is not wanted. */
export async function readTask(
  deps: Pick<TaskDeps, "db">,
  id: string,
  historyLength: number | undefined,
): Promise<Task> {
  const reply = await messageOf(deps, id);
  const isWanted = historyLength !== 0 && reply.parentId !== null;
  const question = isWanted ? await findMessage(deps.db, reply.parentId ?? "") : undefined;
  return toTask(reply, question);
}

/** The message of a task. @throws TaskNotFoundError. */
export async function messageOf(
  { db }: Pick<TaskDeps, "db">,
  id: string,
): Promise<ConversationMessage> {
  const message = await findMessage(db, id);
  if (!message) throw notFound(id);
  return message;
}

function notFound(id: string): TaskNotFoundError {
  return new TaskNotFoundError(`There is no task "${id}" of this agent.`);
}
