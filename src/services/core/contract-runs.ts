import { z } from "zod";
import { route } from "../../platform/http/route.ts";
import { Usage } from "../completion/contract.ts";

/**
 * What sibling services ask of conversations when nobody sits at the screen: automations. Whoever
 * asks names the person; what is made is his, and only what he may use is used. Source:
 * requirements 3, matching rule 5; security 8.3.3 (the originating user decides).
 */

const base = "/api/v1/conversation";
const whose = z.object({
  userId: z.string().min(1).max(200),
  clientId: z.string().min(1).max(200),
});

export const AgentRun = z.object({
  conversationId: z.uuid(),
  messageId: z.uuid(),
  status: z.enum(["streaming", "complete", "stopped", "failed"]),
  waiting: z.boolean().describe("A tool call waits for the person's decision"),
  content: z.string(),
  usage: Usage.nullable(),
  error: z.object({ error: z.string(), code: z.string() }).nullable(),
});
export type AgentRun = z.output<typeof AgentRun>;

export const runsContract = {
  keepTranscript: route({
    method: "post",
    path: `${base}/transcript`,
    access: "service-secret",
    summary: "Make a conversation that begins with what was said elsewhere; once for an id",
    body: whose.extend({
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
    summary:
      "Have an agent answer in a new conversation of the person's; the same key again tells how that one is doing",
    body: whose.extend({
      key: z.string().min(1).max(255),
      agentId: z.uuid(),
      title: z.string().trim().min(1).max(300),
      content: z.string().min(1).max(1_000_000),
      instructions: z.string().max(100_000).optional(),
      waitMs: z
        .number()
        .int()
        .min(0)
        .max(30_000)
        .describe("For its end; then it is answered as it is"),
    }),
    maxBody: 4 * 1024 * 1024,
    ok: AgentRun,
  }),
  stopAgent: route({
    method: "post",
    path: `${base}/agent-run/stop`,
    access: "service-secret",
    summary: "Stop the replies of a person's conversation; what was said stays",
    body: z.object({ userId: z.string().min(1).max(200), conversationId: z.uuid() }),
    ok: z.object({ stopped: z.boolean() }),
  }),
};
