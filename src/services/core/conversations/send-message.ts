import { createHash } from "node:crypto";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import { isUniqueViolation } from "../../../platform/db/pooled-database.ts";
import type { User } from "../../../platform/http/caller.ts";
import { BadRequest, Conflict, NotFound, TooManyRequests } from "../../../platform/http/errors.ts";
import type { Budgets } from "../usage/budgets.ts";
import type { BudgetState } from "../usage/contract.ts";
import type { Agent } from "../agents/contract.ts";
import type { ChosenModel } from "../catalogue/choose-model.ts";
import type { Sharing } from "../sharing.ts";
import { PASSAGES_SHARE } from "../sources/answer-from-documents.ts";
import { planRetrieval } from "../sources/plan-retrieval.ts";
import { conversationFor } from "./access.ts";
import type { Attachments } from "./attachments.ts";
import type { ConversationEvent, SendMessage } from "./contract.ts";
import type { ReplyJob } from "./generate-reply.ts";
import { CHARACTERS, historyOf } from "./history.ts";
import {
  type ReplyRequest,
  type ReplyRow,
  findByIdempotencyKey,
  findReply,
  keepIdempotencyKey,
} from "./reply-store.ts";
import type { ReplyWriter } from "./reply-writer.ts";
import { messageBelongs, newestMessage } from "./store.ts";

/** Replies that a user may have in the making at once. */
export const MAX_REPLIES = 20;

export interface SendDeps {
  db: Database;
  writer: ReplyWriter;
  sharing: Sharing;
  budgets: Budgets;
  attachments: Attachments;
  findAgent: (user: User, id: string) => Promise<Agent>;
  /** The model to use when none is named, and how many tokens of history fit each. */
  chooseModel: (name: string | undefined) => Promise<ChosenModel>;
}

export interface Sent {
  /** Whether the conversation began with it. */
  isNew?: boolean;
  /** Absent when the message was sent before, with the same key. */
  job?: ReplyJob;
  reply: ReplyRow;
}

/**
 * Stores a message and an empty reply, both or none; the reply is then made by the job.
 * @throws NotFound for a conversation that is not the caller's, TooManyRequests, Conflict for a used key with another body.
 */
export async function sendMessage(
  deps: SendDeps,
  user: User,
  ask: SendMessage,
  idempotencyKey: string | undefined,
): Promise<Sent> {
  const { db } = deps;
  const { userId, clientId } = user;
  const bodyHash = createHash("sha256").update(JSON.stringify(ask)).digest("base64url");
  if (idempotencyKey !== undefined) {
    if (idempotencyKey.length > 255)
      throw new BadRequest(
        "idempotency_key_invalid",
        "The Idempotency-Key is longer than 255 characters.",
      );
    const before = await sentBefore(db, userId, idempotencyKey, bodyHash);
    if (before) return before;
  }
  if (ask.parentMessageId !== undefined && ask.conversationId === undefined)
    throw new BadRequest(
      "validation_failed",
      "Name the conversation of the message to answer, in conversationId.",
      {
        details: [{ path: "body.conversationId", message: "needed with parentMessageId" }],
      },
    );
  const [conversationId, userMessageId, messageId] = [
    ask.conversationId ?? uuidv7(),
    uuidv7(),
    uuidv7(),
  ];
  const conversation =
    ask.conversationId === undefined
      ? undefined
      : await conversationFor(deps, user, conversationId, "editor");
  const agentId = ask.agentId === undefined ? conversation?.agentId : ask.agentId;
  const agent = agentId ? await deps.findAgent(user, agentId) : undefined;
  const warnings = await deps.budgets.check({ userId, agentId: agent?.id });
  const { message, files, searched } = await attached(deps, userId, ask, agent);
  const documents = [...new Set([...(conversation?.documents ?? []), ...searched])];
  const request = await requestOf(deps, ask, agent, documents);
  const room =
    request.contextWindow * (request.retrieval ? 1 - PASSAGES_SHARE : 1) -
    ask.content.length / CHARACTERS;
  const parentId = conversation && (await parentOf(db, ask, conversationId));
  const before = parentId === undefined ? [] : await historyOf(db, parentId, room);
  const history = files.length > 0 ? [message] : [];
  const insert = async () => {
    const said = { content: ask.content, history, files, documents, request };
    const place = {
      userId,
      clientId: conversation ? undefined : clientId,
      conversationId,
      userMessageId,
      messageId,
      parentId,
    };
    if (!(await deps.writer.insertTurn({ ...place, ...said }))) throw tooManyReplies();
  };
  try {
    if (idempotencyKey === undefined) await insert();
    else
      await db.tx(async () => {
        await insert();
        await keepIdempotencyKey(db, { userId, key: idempotencyKey, bodyHash, messageId });
      });
    const job: ReplyJob = {
      messageId,
      conversationId,
      userId,
      run: 1,
      opening: [
        { type: "conversation", conversationId, userMessageId, messageId },
        ...warnings.map(warningOf),
      ],
      request,
      messages: [...before, message],
      ...(!conversation?.title && { titleFor: ask.content }),
    };
    return {
      isNew: conversation === undefined,
      job,
      reply: {
        id: messageId,
        conversationId,
        parentId: userMessageId,
        status: "streaming",
        run: 1,
      },
    };
  } catch (error) {
    if (idempotencyKey === undefined || !isUniqueViolation(error)) throw error;
    // the same request came twice at once, and the other one was first
    const first = await sentBefore(db, userId, idempotencyKey, bodyHash);
    if (first) return first;
    throw error;
  }
}

/** A flow gets files as they are; a model gets what it reads of them. */
async function attached(
  { attachments }: SendDeps,
  userId: string,
  { content, files: ids }: SendMessage,
  agent: Agent | undefined,
): ReturnType<SendDeps["attachments"]["attach"]> {
  if (agent?.type !== "workflow") return attachments.attach(userId, content, ids);
  return {
    message: { role: "user", content },
    files: await attachments.carry(userId, ids),
    searched: [],
  };
}

function warningOf({ name, spent, amount }: BudgetState): ConversationEvent {
  const percent = Math.floor((spent / amount) * 100);
  return {
    type: "warning",
    code: "budget_nearly_used",
    message: `${percent} % of the budget "${name}" are used.`,
  };
}

function tooManyReplies(): TooManyRequests {
  return new TooManyRequests(
    "too_many_replies",
    `${MAX_REPLIES} replies are being made for you already. Wait for one to end, or stop one.`,
    5_000,
  );
}

/** What the reply is asked with: what the message says, else what its agent says. */
async function requestOf(
  { chooseModel, attachments, budgets }: SendDeps,
  ask: SendMessage,
  agent: Agent | undefined,
  documents: readonly string[],
): Promise<ReplyRequest> {
  const { model, contextWindow, pricing } = await chooseModel(
    ask.model ?? agent?.model ?? undefined,
  );
  const runBudgets = await budgets.ofRun(agent?.id, pricing);
  const instructions = [agent?.instructions, ask.instructions].filter(Boolean).join("\n\n");
  const flow =
    agent?.type === "workflow" && agent.flowId !== null ? { id: agent.flowId } : undefined;
  const retrieval = attachments.areSearched && !flow ? planRetrieval(agent, documents) : undefined;
  return {
    ...(agent && { agent: { id: agent.id, version: agent.version } }),
    ...(agent && agent.temperature !== null && { temperature: agent.temperature }),
    model,
    tools: ask.tools ?? agent?.tools ?? [],
    instructions,
    approval: ask.approval,
    contextWindow,
    ...(runBudgets.length > 0 && { budgets: runBudgets }),
    ...(flow && { flow }),
    ...(retrieval && { retrieval }),
  };
}

async function sentBefore(
  db: Database,
  userId: string,
  key: string,
  bodyHash: string,
): Promise<Sent | undefined> {
  const before = await findByIdempotencyKey(db, userId, key);
  if (!before) return undefined;
  if (before.bodyHash !== bodyHash)
    throw new Conflict(
      "idempotency_key_reused",
      "This Idempotency-Key was used with another body. Use a new key for a new request.",
    );
  const reply = await findReply(db, before.messageId);
  return reply && { reply };
}

async function parentOf(
  db: Database,
  { parentMessageId, conversationId: given }: SendMessage,
  conversationId: string,
): Promise<string | undefined> {
  if (parentMessageId === undefined)
    return given === undefined ? undefined : newestMessage(db, conversationId);
  if (await messageBelongs(db, parentMessageId, conversationId)) return parentMessageId;
  throw new NotFound(
    "message_not_found",
    "There is no such message in this conversation to answer.",
  );
}
