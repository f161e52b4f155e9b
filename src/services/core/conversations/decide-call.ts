import type { Database } from "../../../platform/db/database.ts";
import type { User } from "../../../platform/http/caller.ts";
import { Conflict, NotFound } from "../../../platform/http/errors.ts";
import { AllowedTool } from "../../agent/contract.ts";
import { allowTool } from "../approvals/allowed-tools.ts";
import type { PermittedUse } from "../permitted-use.ts";
import type { ReplyJob } from "./generate-reply.ts";
import { lockWaiting, reopenReply, saveDecisions, type WaitingReply } from "./reply-store.ts";
import { historyOf } from "./history.ts";

interface Choice {
  toolCallId: string;
  /** `always`: approve, and remember it for the tool as it is now. */
  decision: "approve" | "deny" | "always";
  arguments?: Record<string, unknown> | undefined;
}

type Call = WaitingReply["waiting"][number];

/**
 * Notes a person's decision on a waiting call. Once every waiting call of the reply is decided, a
 * job goes on with it. Tools and model must be permitted to who decides, who may be another than
 * who asked.
 * @throws NotFound when no such call waits, Conflict `tool_not_rememberable`, Forbidden.
 */
export async function decideCall(
  { db, use }: { db: Database; use: PermittedUse },
  conversationId: string,
  user: User,
  choice: Choice,
): Promise<{ messageId: string; waiting: number; job?: ReplyJob }> {
  return db.tx(async () => {
    const reply = await lockWaiting(db, conversationId, choice.toolCallId);
    if (!reply)
      throw new NotFound("call_not_waiting", "No call with this id waits for a decision here.");
    const chosen = reply.waiting.find(({ toolCallId }) => toolCallId === choice.toolCallId);
    if (chosen && choice.decision !== "deny") await use.tools(user, [chosen.name], []);
    const always =
      choice.decision === "always"
        ? await allow(db, user.userId, reply, choice.toolCallId)
        : undefined;
    const waiting = reply.waiting.map((call) => decided(call, choice, always));
    const left = waiting.filter(({ decision }) => decision === undefined).length;
    await saveDecisions(db, reply.id, waiting);
    if (left > 0) return { messageId: reply.id, waiting: left };
    await use.chooseModel(user, reply.request.model);
    const tools = await use.tools(user, undefined, reply.request.tools);
    const run = await reopenReply(db, reply.id, user.userId);
    const decisions = waiting.map(({ toolCallId, decision = "deny", arguments: given }) => ({
      toolCallId,
      decision,
      arguments: given,
    }));
    const messages = [
      ...(await historyOf(db, reply.parentId, reply.request.contextWindow)),
      ...reply.history,
    ];
    const { id: messageId, history, toolCalls, sources } = reply;
    const opening = [
      { type: "conversation" as const, conversationId, userMessageId: reply.parentId, messageId },
    ];
    return {
      messageId,
      waiting: 0,
      job: {
        messageId,
        conversationId,
        userId: user.userId,
        run,
        opening,
        request: { ...reply.request, tools },
        messages,
        decisions,
        before: { history, toolCalls, sources },
      },
    };
  });
}

/** Remembers that the person allows the tool of a waiting call. @returns the tool. */
async function allow(
  db: Database,
  userId: string,
  { waiting }: WaitingReply,
  toolCallId: string,
): Promise<AllowedTool> {
  const tool = AllowedTool.safeParse(waiting.find((call) => call.toolCallId === toolCallId));
  if (!tool.success)
    throw new Conflict(
      "tool_not_rememberable",
      "It is not known which version of the tool this call is of. Approve or deny it alone.",
    );
  await allowTool(db, userId, tool.data);
  return tool.data;
}

/** A tool that is allowed from now on needs no decision on its other calls either. */
function decided(call: Call, choice: Choice, always: AllowedTool | undefined): Call {
  if (call.toolCallId === choice.toolCallId)
    return {
      ...call,
      decision: choice.decision === "deny" ? "deny" : "approve",
      arguments: choice.arguments ?? call.arguments,
    };
  const isAllowed =
    always?.server === call.server &&
    always?.name === call.name &&
    always?.fingerprint === call.fingerprint;
  return always && isAllowed && !call.decision ? { ...call, decision: "approve" } : call;
}
