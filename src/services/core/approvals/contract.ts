import { z } from "zod";
import { jsonObject } from "../../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../../platform/http/page.ts";
import { route } from "../../../platform/http/route.ts";

const base = "/api/v1/conversation";
const AllowedTool = z.object({
  server: z.string().max(64),
  name: z.string().max(300),
  allowedAt: z.iso.datetime(),
});

/** How a person decides on calls of tools that may destroy something. */
export const approvalsContract = {
  approve: route({
    method: "post",
    path: `${base}/:conversationId/approve`,
    access: "jwt",
    permission: "tool:approve",
    summary:
      "Decide on a tool call that waits; once all are decided the reply goes on, to be read at /stream",
    params: z.object({ conversationId: z.uuid() }),
    body: z.object({
      toolCallId: z.string().max(300),
      decision: z
        .enum(["approve", "deny", "always"])
        .describe("`always`: approve, and do not ask me again for this tool until it changes"),
      arguments: jsonObject().optional(),
    }),
    ok: z.object({ messageId: z.uuid(), waiting: z.number().int() }),
  }),
  listAllowedTools: route({
    method: "get",
    path: `${base}/allowed-tools`,
    access: "jwt",
    permission: "conversation:read",
    summary: "Tools that run without asking, by one's own decision",
    query: pageQuery,
    ok: pageOf(AllowedTool),
  }),
  revokeTool: route({
    method: "delete",
    path: `${base}/allowed-tools/:server/:name`,
    access: "jwt",
    permission: "conversation:update",
    summary: "Be asked again before a tool runs",
    params: AllowedTool.pick({ server: true, name: true }),
  }),
};
