import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import type { User } from "../../../platform/http/caller.ts";
import { Conflict, NotFound, TooManyRequests } from "../../../platform/http/errors.ts";
import type { StoredDocument } from "../../documents/contract-stored.ts";
import type { Agent } from "../agents/contract.ts";
import type { Attachments, StoredMessage } from "../conversations/attachments.ts";
import type { Conversation } from "../conversations/contract-messages.ts";
import { type ConversationLimits, refuseFull } from "../conversations/refuse-full.ts";
import { ofDocument } from "../labels/read-resources.ts";
import type { PermittedUse } from "../permitted-use.ts";
import type { ResearchBudget } from "../research/contract-state.ts";
import type { Sharing } from "../sharing.ts";
import { PASSAGES_SHARE } from "../sources/take-passages.ts";
import type { Budgets } from "../usage/budgets.ts";
import type { BudgetState } from "../usage/contract.ts";
import type { ConversationEvent } from "./contract.ts";
import type { ReplyToMake } from "./reply-to-make.ts";
import { CHARACTERS_PER_TOKEN } from "../../../platform/estimate-tokens.ts";
import { historyOf } from "./history.ts";
import { type Options, planReply, type ReplyPlan } from "./plan-reply.ts";
import type { ReplyWriter } from "./record-reply.ts";
import type { ReplyRow } from "./store.ts";

/** Replies that one user may have in progress. */
export const MAX_REPLIES = 20;
const RETRY_AFTER_MS = 5_000;

export interface ReceiveDeps extends ConversationLimits {
  writer: ReplyWriter;
  sharing: Sharing;
  budgets: Budgets;
  attachments: Attachments;
  use: PermittedUse;
  /** Whether documents can be searched here. */
  hasRetrieval: boolean;
  researchBudget?: ResearchBudget | undefined;
}

/** A received message: its reply is stored, empty. */
export interface Received {
  /** Absent when the message was received before, with the same key. */
  toMake?: ReplyToMake;
  reply: ReplyRow;
}

/** Stores a reply together with the key of its request. */
export type Store = (messageId: string, insert: () => Promise<void>) => Promise<void>;

/** A message to answer. */
export interface MessageToAnswer {
  /** Absent: the message starts a new conversation. */
  conversation: Conversation | undefined;
  /** The id of a stored message to answer again. Absent: the message is new. */
  storedId?: string;
  /** The message before it; absent at the root of the thread. */
  parentId: string | undefined;
  content: string;
  message: StoredMessage;
  files: readonly StoredDocument[];
  /** The documents that the conversation has from now on. */
  documents: readonly string[];
  options: Options;
  agent: Agent | undefined;
  warnings: readonly BudgetState[];
  /** The refusal for models that have a price, where only money is used up. */
  unpaid?: TooManyRequests;
}

/**
 * Plans a reply and stores it, empty, with its question if that is new: both or none. A
 * `ReplyRunner` then makes the reply.
 * @throws TooManyRequests `too_many_replies`, Conflict `reply_in_progress`, and what `refuseFull`
 * and `planReply` throw.
 */
export async function beginReply(
  deps: ReceiveDeps,
  user: User,
  question: MessageToAnswer,
  store: Store,
): Promise<Received> {
  const { conversation, parentId } = question;
  const [plan] = await Promise.all([
    planReply(deps, user, question),
    refuseFull(deps, user.userId, conversation),
  ]);
  const before =
    parentId === undefined ? [] : await readThread(deps.db, parentId, question, plan);
  const ids = {
    conversationId: conversation?.id ?? uuidv7(),
    // ids order messages of the same millisecond: the question comes first
    userMessageId: question.storedId ?? uuidv7(),
    messageId: uuidv7(),
  };
  await store(ids.messageId, () => insertTurn(deps.writer, user, question, ids, plan));
  const toMake: ReplyToMake = {
    messageId: ids.messageId,
    conversationId: ids.conversationId,
    userId: user.userId,
    isNew: conversation === undefined,
    segment: 1,
    opening: [{ type: "conversation", ...ids }, ...question.warnings.map(toWarning)],
    plan,
    messages: [...before, question.message],
    reads: question.files.map(({ id }) => ofDocument(id)),
  };
  const words =
    question.content || question.files.map(({ fileName }) => fileName).join(", ");
  if (!conversation?.title && words) toMake.titleFor = words;
  const reply: ReplyRow = {
    id: ids.messageId,
    conversationId: ids.conversationId,
    parentId: ids.userMessageId,
    status: "streaming",
    segment: 1,
  };
  return { toMake, reply };
}

/** The thread before the question, as far as the model's context has room for it. */
function readThread(
  db: Database,
  parentId: string,
  { content }: MessageToAnswer,
  { contextWindow, retrieval }: ReplyPlan,
): Promise<StoredMessage[]> {
  const share = retrieval ? 1 - PASSAGES_SHARE : 1;
  return historyOf(
    db,
    parentId,
    contextWindow * share - content.length / CHARACTERS_PER_TOKEN,
  );
}

interface Ids {
  conversationId: string;
  userMessageId: string;
  messageId: string;
}

async function insertTurn(
  writer: ReplyWriter,
  { userId, clientId }: User,
  { conversation, storedId, parentId, content, message, files, documents }: MessageToAnswer,
  ids: Ids,
  plan: ReplyPlan,
): Promise<void> {
  const isAdmitted = await writer.insertTurn({
    userId,
    clientId: conversation ? undefined : clientId,
    ...ids,
    isStored: storedId !== undefined,
    parentId,
    content,
    history: files.length > 0 ? [message] : [],
    files,
    documents,
    plan,
  });
  if (!isAdmitted) throw tooManyReplies();
}

interface Named {
  agentId?: string | null | undefined;
  agentVersion?: number | undefined;
}

/**
 * Returns the agent that answers: the named one (null: none), else the one that answered before.
 * @throws Conflict `agent_gone` when that agent was deleted, and what finding an agent throws.
 */
export async function chooseAgent(
  { use }: Pick<ReceiveDeps, "use">,
  user: User,
  { agentId: named, agentVersion: version }: Named,
  before: string | null | undefined,
): Promise<Agent | undefined> {
  if (named !== undefined)
    return named === null ? undefined : use.findAgent(user, named, version);
  if (!before) return undefined;
  if (version !== undefined) return use.findAgent(user, before, version);
  return use.findAgent(user, before).catch((error: unknown) => {
    throw error instanceof NotFound ? agentGone(before, error) : error;
  });
}

function agentGone(agentId: string, cause: unknown): Conflict {
  return new Conflict(
    "agent_gone",
    "The agent that answered here was deleted, or is not shared with you any more. " +
      "Continue with another one: send its id as agentId, or null for a model without an agent.",
    { cause, details: { agentId } },
  );
}

function toWarning({ name, spent, amount }: BudgetState): ConversationEvent {
  const percent = Math.floor((spent / amount) * 100);
  return {
    type: "warning",
    code: "budget_nearly_used",
    message: `${percent} % of the budget "${name}" are used.`,
    params: { percent, name },
  };
}

export function tooManyReplies(): TooManyRequests {
  return new TooManyRequests(
    "too_many_replies",
    `${MAX_REPLIES} replies are in progress for you. Wait for one to end, or stop one.`,
    RETRY_AFTER_MS,
    { params: { max: MAX_REPLIES } },
  );
}
