import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import type { User } from "../../../platform/http/caller.ts";
import { Conflict, Forbidden, NotFound, TooManyRequests } from "../../../platform/http/errors.ts";
import type { StoredDocument } from "../../documents/contract.ts";
import type { Agent } from "../agents/contract.ts";
import type { PermittedUse } from "../permitted-use.ts";
import type { Sharing } from "../sharing.ts";
import { PASSAGES_SHARE } from "../sources/answer-from-documents.ts";
import { planRetrieval } from "../sources/plan-retrieval.ts";
import type { Budgets } from "../usage/budgets.ts";
import type { BudgetState } from "../usage/contract.ts";
import type { Attachments, StoredMessage } from "./attachments.ts";
import type { Conversation, ConversationEvent } from "./contract.ts";
import type { ReplyJob } from "./generate-reply.ts";
import { CHARACTERS, historyOf } from "./history.ts";
import type { Asked, ReplyRequest, ReplyRow } from "./reply-store.ts";
import type { ReplyWriter } from "./reply-writer.ts";
import type { Store } from "./run-once.ts";

/** Replies that a user may have in the making at once. */
export const MAX_REPLIES = 20;

export interface SendDeps {
  db: Database;
  writer: ReplyWriter;
  sharing: Sharing;
  budgets: Budgets;
  attachments: Attachments;
  use: PermittedUse;
}

export interface Sent {
  /** Whether the conversation began with it. */
  isNew?: boolean;
  /** Absent when the message was sent before, with the same key. */
  job?: ReplyJob;
  reply: ReplyRow;
}

/** What a reply answers. */
export interface Question {
  /** Absent: a new conversation begins with it. */
  conversation: Conversation | undefined;
  /** Of the stored message that is answered again. Absent: the message is new. */
  storedId?: string;
  /** The message before it; absent at the root of the thread. */
  parentId: string | undefined;
  content: string;
  message: StoredMessage;
  files: readonly StoredDocument[];
  /** The documents of the conversation from now on. */
  documents: readonly string[];
  asked: Asked;
  agent: Agent | undefined;
  warnings: readonly BudgetState[];
}

/**
 * Stores an empty reply, and its question where that is new: both or none. A job then makes the
 * reply.
 * @throws TooManyRequests, Conflict `reply_in_progress`, Forbidden `approval_required`, and what
 * choosing a model throws.
 */
export async function beginReply(
  deps: SendDeps,
  user: User,
  question: Question,
  store: Store,
): Promise<Sent> {
  const { userId, clientId } = user;
  const { conversation, storedId, parentId, content, message, files, documents } = question;
  const conversationId = conversation?.id ?? uuidv7();
  // messages of the same millisecond are ordered by their ids: the question comes first
  const userMessageId = storedId ?? uuidv7();
  const messageId = uuidv7();
  const request = await requestOf(deps, user, question);
  if (request.approval === "never" && request.tools.length > 0)
    if (!(await deps.use.mayRunUnasked(user))) throw approvalRequired();
  const room =
    request.contextWindow * (request.retrieval ? 1 - PASSAGES_SHARE : 1) -
    content.length / CHARACTERS;
  const before = parentId === undefined ? [] : await historyOf(deps.db, parentId, room);
  const turn = {
    userId,
    clientId: conversation ? undefined : clientId,
    conversationId,
    userMessageId,
    isStored: storedId !== undefined,
    messageId,
    parentId,
    content,
    history: files.length > 0 ? [message] : [],
    files,
    documents,
    request,
  };
  await store(messageId, async () => {
    if (!(await deps.writer.insertTurn(turn))) throw tooManyReplies();
  });
  const job: ReplyJob = {
    messageId,
    conversationId,
    userId,
    run: 1,
    opening: [
      { type: "conversation", conversationId, userMessageId, messageId },
      ...question.warnings.map(warningOf),
    ],
    request,
    messages: [...before, message],
    ...(!conversation?.title && { titleFor: content }),
  };
  const reply: ReplyRow = {
    id: messageId,
    conversationId,
    parentId: userMessageId,
    status: "streaming",
    run: 1,
  };
  return { isNew: conversation === undefined, job, reply };
}

/**
 * Who answers: as named (null: no agent), else who answered before.
 * @throws Conflict `agent_gone` when that one is not there any more, and what finding an agent
 * throws.
 */
export async function agentOf(
  deps: Pick<SendDeps, "use">,
  user: User,
  named: string | null | undefined,
  before: string | null | undefined,
): Promise<Agent | undefined> {
  if (named !== undefined) return named === null ? undefined : deps.use.findAgent(user, named);
  if (!before) return undefined;
  return deps.use.findAgent(user, before).catch((error: unknown) => {
    throw error instanceof NotFound ? agentGone(before, error) : error;
  });
}

function agentGone(agentId: string, cause: unknown): Conflict {
  return new Conflict(
    "agent_gone",
    "The agent that answered here was deleted, or is not shared with you any more. " +
      "Go on with another one: send its id as agentId, or null for a model without an agent.",
    { cause, details: { agentId } },
  );
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

function approvalRequired(): Forbidden {
  return new Forbidden(
    "approval_required",
    "To have destructive tools run without approval you need the permissions tool:approve and " +
      'tool:administer. Leave out approval "never"; ' +
      'a tool that you decide on with "always" does not ask you again.',
  );
}

/** What the reply is asked with: what the message says, else what its agent says. */
async function requestOf(
  { use, attachments, budgets }: SendDeps,
  user: User,
  { asked, agent, documents }: Question,
): Promise<ReplyRequest> {
  const { model, contextWindow, pricing } = await use.chooseModel(
    user,
    asked.model ?? agent?.model ?? undefined,
  );
  const runBudgets = await budgets.ofRun(agent?.id, pricing);
  const instructions = [agent?.instructions, asked.instructions].filter(Boolean).join("\n\n");
  const flow =
    agent?.type === "workflow" && agent.flowId !== null ? { id: agent.flowId } : undefined;
  const isSearched = attachments.areSearched && !flow && (await use.searchesDocuments(user));
  const retrieval = isSearched ? planRetrieval(agent, documents) : undefined;
  return {
    ...(agent && { agent: { id: agent.id, version: agent.version } }),
    ...(agent && agent.temperature !== null && { temperature: agent.temperature }),
    model,
    tools: await use.tools(user, asked.tools, agent?.tools ?? []),
    instructions,
    approval: asked.approval,
    asked,
    contextWindow,
    ...(runBudgets.length > 0 && { budgets: runBudgets }),
    ...(flow && { flow }),
    ...(retrieval && { retrieval }),
  };
}
