import { z } from "zod";
import { jsonObject } from "../../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../../platform/http/page.ts";
import { route } from "../../../platform/http/route.ts";
import { WaitsBecause } from "../../agent-loop/contract-events.ts";

const base = "/api/v1/conversation";
const AllowedTool = z.object({
  server: z.string().max(64),
  name: z.string().max(300),
  allowedAt: z.iso.datetime(),
});

const WaitingReply = z.object({
  conversationId: z.uuid(),
  messageId: z.uuid(),
  title: z.string().describe("Of the conversation"),
  calls: z.number().int().describe("How many of its calls wait for a decision"),
  name: z.string().describe("The tool of the first of them"),
  server: z
    .string()
    .nullable()
    .describe("Where that tool is; null: it is the platform's own"),
  toolCallId: z.string().describe("Of that call"),
  because: WaitsBecause.nullable(),
  arguments: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe("Of that call; null: too many to list, read the message"),
  createdAt: z.iso.datetime().describe("When the reply began"),
});
export type WaitingReply = z.output<typeof WaitingReply>;

/** Users' decisions about calls of destructive tools. */
export const approvalsContract = {
  approve: route({
    method: "post",
    path: `${base}/:conversationId/approve`,
    access: "jwt",
    permission: "tool:approve",
    changes: "approval/:conversationId",
    summary:
      "Decide on a waiting tool call; when all are decided the reply continues, to be read at /stream",
    params: z.object({ conversationId: z.uuid() }),
    body: z.object({
      toolCallId: z.string().max(300),
      decision: z
        .enum(["approve", "deny", "always"])
        .describe(
          "`always`: approve, and do not ask again for this tool until it changes, or a reply " +
            "has read the open world before it",
        ),
      arguments: jsonObject().optional(),
    }),
    ok: z.object({ messageId: z.uuid(), waiting: z.number().int() }),
  }),
  listWaiting: route({
    method: "get",
    path: `${base}/waiting`,
    access: "jwt",
    permission: "conversation:read",
    summary:
      "List the replies of the caller's conversations that wait for a decision, newest first",
    description:
      "A reply after which its conversation went on is not listed, though its calls can still be " +
      "decided.",
    query: pageQuery,
    ok: pageOf(WaitingReply),
  }),
  listAllowedTools: route({
    method: "get",
    path: `${base}/allowed-tools`,
    access: "jwt",
    permission: "conversation:read",
    summary: "List the tools whose calls the caller always allows",
    query: pageQuery,
    ok: pageOf(AllowedTool),
  }),
  revokeTool: route({
    method: "delete",
    path: `${base}/allowed-tools/:server/:name`,
    access: "jwt",
    permission: "conversation:update",
    changes: "none",
    summary: "Ask the caller again before a tool runs",
    params: AllowedTool.pick({ server: true, name: true }),
  }),
};
