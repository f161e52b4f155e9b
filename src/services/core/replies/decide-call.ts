import type { Database } from "../../../platform/db/database.ts";
import type { User } from "../../../platform/http/caller.ts";
import { Conflict, NotFound } from "../../../platform/http/errors.ts";
import { AllowedTool } from "../../agent-loop/contract.ts";
import { Transcript } from "../../agent-loop/contract-transcript.ts";
import { remainingBudgets } from "../../agent-loop/contract-budget.ts";
import { allowTool } from "../approvals/allowed-tools.ts";
import type { PermittedUse } from "../permitted-use.ts";
import { isFree } from "../../completion/contract-is-free.ts";
import type { Budgets } from "../usage/budgets.ts";
import { chooseAgent, MAX_REPLIES, tooManyReplies } from "./begin-reply.ts";
import { requireDocuments } from "./check-rights.ts";
import type { ReplyToMake } from "./reply-to-make.ts";
import { historyOf } from "./history.ts";
import { findWaiting, reopenReply, saveDecisions, type WaitingReply } from "./store.ts";

interface Choice {
  toolCallId: string;
  /** `always`: approve, and remember it for the tool as it is now. */
  decision: "approve" | "deny" | "always";
  arguments?: Record<string, unknown> | undefined;
}

interface Deps {
  db: Database;
  use: PermittedUse;
  budgets: Budgets;
}

type Call = WaitingReply["waiting"][number];

/**
 * Records the user's decision on a waiting call. When every waiting call of the reply is decided,
 * the reply goes on. The user who decides, who may not be the one who asked, must be permitted what
 * the reply uses: its agent, tools, model and documents, within their budgets.
 * @throws NotFound `call_not_waiting`, Conflict `tool_not_rememberable`, `agent_gone`, Forbidden,
 * TooManyRequests `too_many_replies`, `budget_exceeded`.
 */
export async function decideCall(
  deps: Deps,
  conversationId: string,
  user: User,
  choice: Choice,
): Promise<{ messageId: string; waiting: number; toMake?: ReplyToMake }> {
  await checkMayContinue(deps, conversationId, user, choice);
  return deps.db.tx(async () => {
    const { toolCallId } = choice;
    const reply = await findWaiting(deps.db, conversationId, toolCallId, { locked: true });
    if (!reply) throw callNotWaiting();
    const waiting = await applyChoice(deps, user, reply, choice);
    await saveDecisions(deps.db, reply.id, waiting);
    const undecided = waiting.filter(({ decision }) => decision === undefined).length;
    if (undecided > 0) return { messageId: reply.id, waiting: undecided };
    const toMake = await continueReply(deps, user, { ...reply, waiting });
    return { messageId: reply.id, waiting: 0, toMake };
  });
}

/**
 * Checks that the user may have the reply now, as for a new message. Call it outside of a
 * transaction: budgets are read for all callers at once.
 */
async function checkMayContinue(
  { db, use, budgets }: Deps,
  conversationId: string,
  user: User,
  { toolCallId }: Choice,
): Promise<void> {
  const reply = await findWaiting(db, conversationId, toolCallId);
  if (!reply) throw callNotWaiting();
  const { agent: planned, model, retrieval } = reply.plan;
  const agent = await chooseAgent({ use }, user, {}, planned?.id);
  const chosen = await use.chooseModel(user, model);
  if (retrieval) await requireDocuments(use, user, retrieval);
  const { unpaid } = await budgets.admit({ userId: user.userId, agentId: agent?.id });
  if (unpaid && !isFree(chosen)) throw unpaid;
}

/** @returns the waiting calls with the decisions so far. */
async function applyChoice(
  { db, use }: Deps,
  user: User,
  reply: WaitingReply,
  choice: Choice,
): Promise<Call[]> {
  const chosen = reply.waiting.find(({ toolCallId }) => toolCallId === choice.toolCallId);
  if (chosen && choice.decision !== "deny") await use.tools(user, [chosen.name], []);
  const allowed =
    choice.decision === "always" ? await allow(db, user.userId, chosen) : undefined;
  return reply.waiting.map((call) => {
    if (call.toolCallId === choice.toolCallId) return decide(call, choice);
    // an allowed tool needs no decision on its other calls either
    const isAllowed = allowed !== undefined && !call.decision && isSameTool(call, allowed);
    return isAllowed ? { ...call, decision: "approve" } : call;
  });
}

function decide(call: Call, { decision, arguments: values }: Choice): Call {
  return {
    ...call,
    decision: decision === "deny" ? "deny" : "approve",
    arguments: values ?? call.arguments,
  };
}

function isSameTool(call: Call, { server, name, fingerprint }: AllowedTool): boolean {
  return call.server === server && call.name === name && call.fingerprint === fingerprint;
}

/** Remembers that the user allows the tool of a waiting call. @returns the tool. */
async function allow(
  db: Database,
  userId: string,
  call: Call | undefined,
): Promise<AllowedTool> {
  const tool = AllowedTool.safeParse(call);
  if (!tool.success)
    throw new Conflict(
      "tool_not_rememberable",
      "It is not known which version of the tool this call is of. Approve or deny it alone.",
    );
  await allowTool(db, userId, tool.data);
  return tool.data;
}

/** Reopens a reply whose calls are all decided. @returns what is to be made then. */
async function continueReply(
  { db, use }: Deps,
  user: User,
  { id: messageId, conversationId, parentId, plan, waiting, ...earlier }: WaitingReply,
): Promise<ReplyToMake> {
  const tools = await use.tools(user, undefined, plan.tools);
  const before = await historyOf(db, parentId, plan.contextWindow);
  const segment = await reopenReply(db, messageId, user.userId, MAX_REPLIES);
  if (segment === undefined) throw tooManyReplies();
  const written = new Transcript({ earlier });
  return {
    messageId,
    conversationId,
    userId: user.userId,
    segment,
    opening: [
      {
        type: "conversation",
        conversationId,
        userMessageId: parentId,
        messageId,
        earlier: {
          content: written.content.length,
          reasoning: written.reasoning.length,
        },
      },
    ],
    plan: { ...plan, tools, budgets: remainingBudgets(plan.budgets, earlier.usage) },
    messages: [...before, ...written.messages],
    decisions: waiting.map(({ toolCallId, decision = "deny", arguments: values }) => ({
      toolCallId,
      decision,
      arguments: values,
    })),
    earlier,
  };
}

function callNotWaiting(): NotFound {
  return new NotFound(
    "call_not_waiting",
    "No call with this id waits for a decision here. Read the conversation again.",
  );
}
