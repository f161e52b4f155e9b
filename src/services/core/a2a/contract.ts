import { z } from "zod";
import { route } from "../../../platform/http/route.ts";

/** Agents as other systems' agents call them: Agent2Agent (A2A) 1.0, and 0.3 for older clients. */

const byAgent = z.object({ agentId: z.uuid() });
/** Any value of JSON-RPC 2.0, whose methods and results the protocol describes. */
const RpcAnswer = z.looseObject({ jsonrpc: z.literal("2.0") });
const Failure = z.union([
  RpcAnswer,
  z.object({ error: z.string(), code: z.string(), requestId: z.string() }),
]);
const card = {
  method: "get",
  access: ["jwt", "key"],
  permission: "agent:read",
  params: byAgent,
  headers: { "A2A-Version": "`1.0`; absent: the card as clients of 0.3 read it" },
  ok: z.looseObject({ name: z.string(), description: z.string() }),
} as const;

export const a2aContract = {
  agentCard: route({
    ...card,
    path: "/a2a/:agentId/.well-known/agent-card.json",
    summary: "Read the card of an agent, for clients of A2A",
  }),
  agentRpc: route({
    method: "post",
    path: "/a2a/:agentId",
    access: ["jwt", "key"],
    permission: "conversation:create",
    changes: "conversation",
    summary: "Use an agent over A2A (JSON-RPC)",
    description:
      "`SendMessage`, `SendStreamingMessage`, `GetTask`, `ListTasks`, `CancelTask`, " +
      "`SubscribeToTask`, and `Create`, `Get`, `List` and `DeleteTaskPushNotificationConfig`. A task is a reply, and its context the conversation, which its owner finds " +
      "in the web app, too. With `A2A-Version: 0.3`, or without one, the methods of 0.3.",
    params: byAgent,
    headers: { "A2A-Version": "`1.0`, or `0.3`, which is the default" },
    raw: true,
    ok: RpcAnswer,
    produces: ["text/event-stream"],
    errorSchema: Failure,
  }),
};
