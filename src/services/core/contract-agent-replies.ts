import { z } from "zod";
import { route } from "../../platform/http/route.ts";
import { ReportedError } from "../../platform/http/reported-error.ts";
import { Usage } from "../completion/contract.ts";

/**
 * Routes with which automations run conversations while no user is present. The request names the
 * user: the conversation is theirs, and their permissions apply.
 */

const base = "/api/v1/conversation";
const OwnedByUser = z.object({
  userId: z.string().min(1).max(200),
  clientId: z.string().min(1).max(200),
});

export const AgentRun = z.object({
  conversationId: z.uuid(),
  messageId: z.uuid(),
  status: z.enum(["streaming", "complete", "stopped", "failed"]),
  waiting: z.boolean().describe("A tool call waits for the user's decision"),
  content: z.string(),
  usage: Usage.nullable(),
  error: ReportedError.nullable(),
});
export type AgentRun = z.output<typeof AgentRun>;

const AskAgent = OwnedByUser.extend({
  key: z.string().min(1).max(255),
  agentId: z.uuid(),
  title: z.string().trim().min(1).max(300),
  content: z.string().min(1).max(1_000_000),
  instructions: z.string().max(100_000).optional(),
  readFrom: z
    .array(z.uuid())
    .max(100)
    .optional()
    .describe("Conversations whose answers the content holds: their labels go with it"),
  waitMs: z
    .number()
    .int()
    .min(0)
    .max(30_000)
    .describe("How long to wait for the end of the reply"),
});
export type AskAgent = z.output<typeof AskAgent>;

export const agentRepliesContract = {
  keepTranscript: route({
    method: "post",
    path: `${base}/transcript`,
    access: "service-secret",
    changes: "none",
    summary: "Create a conversation that begins with a given text; idempotent by its id",
    body: OwnedByUser.extend({
      conversationId: z.uuid(),
      title: z.string().trim().min(1).max(300),
      content: z.string().min(1).max(1_000_000),
    }),
    maxBody: 4 * 1024 * 1024,
    status: 201,
    ok: z.object({ conversationId: z.uuid() }),
  }),
  runAgent: route({
    method: "post",
    path: `${base}/agent-run`,
    access: "service-secret",
    changes: "none",
    summary:
      "Let an agent answer in a new conversation of the user; the same key again reports its state",
    body: AskAgent,
    maxBody: 4 * 1024 * 1024,
    ok: AgentRun,
  }),
  stopAgent: route({
    method: "post",
    path: `${base}/agent-run/stop`,
    access: "service-secret",
    changes: "none",
    summary: "Stop the replies of a user's conversation; the text so far stays",
    body: z.object({ userId: z.string().min(1).max(200), conversationId: z.uuid() }),
    ok: z.object({ stopped: z.boolean() }),
  }),
};
