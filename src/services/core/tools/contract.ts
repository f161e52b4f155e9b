import { z } from "zod";
import { jsonObject } from "../../../platform/http/bounds.ts";
import { route } from "../../../platform/http/route.ts";
import { ToolEvent } from "../../agent/contract-events.ts";

const PlatformResult = z.object({
  content: z.string().describe("The result as the model reads it"),
  isError: z.boolean(),
  events: z.array(ToolEvent).describe("What the reader of the reply sees of it"),
});
export type PlatformResult = z.output<typeof PlatformResult>;

/** Routes for the agent service while it runs a reply. */
export const toolSessionsContract = {
  callPlatformTool: route({
    method: "post",
    path: "/api/v1/tool-sessions/:sessionId/call",
    access: "service-secret",
    summary: "Run a tool of the platform for the user of an agent run",
    description:
      "The session names the user, the conversation and the permitted tools. It ends with its " +
      "run; then the answer is `404 tool_session_ended`. A failure of the tool is a result with " +
      "`isError`.",
    params: z.object({ sessionId: z.uuid() }),
    body: z.object({
      name: z.string().min(1).max(300),
      arguments: jsonObject().default({}),
    }),
    maxBody: 4 * 1024 * 1024,
    ok: PlatformResult,
  }),
};
