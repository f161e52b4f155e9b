import { z } from "zod";
import { jsonObject } from "../../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../../platform/http/page.ts";
import { ReportedError } from "../../../platform/http/reported-error.ts";
import { route } from "../../../platform/http/route.ts";
import { CallId, Usage } from "../../completion/contract.ts";
import {
  EndsBecause,
  ToolEvent,
  ToolFigures,
  ToolFile,
} from "../../agent-loop/contract-events.ts";
import { ToolEffect } from "../../tool-gateway/contract.ts";

const PlatformResult = z.object({
  content: z.string().describe("The result as the model reads it"),
  isError: z.boolean(),
  files: z.array(ToolFile).max(10).optional().describe("Files in the result"),
  figures: ToolFigures.optional().describe("How much it found"),
  events: z.array(ToolEvent).describe("What the reader of the reply sees of it"),
  usage: Usage.optional().describe(
    "What the tool used of models, which counts for the run",
  ),
});
export type PlatformResult = z.output<typeof PlatformResult>;

/** Routes for the agent loop while it runs a reply. */
export const toolSessionsContract = {
  callPlatformTool: route({
    method: "post",
    path: "/api/v1/tool-sessions/:sessionId/call",
    access: "service-secret",
    changes: "none",
    summary: "Run a tool of the platform for the user of an agent run",
    description:
      "The session names the user, the conversation and the permitted tools. It ends with its " +
      "run; then the answer is `404 tool_session_ended`. A failure of the tool is a result with " +
      "`isError`.",
    params: z.object({ sessionId: z.uuid() }),
    body: z.object({
      name: z.string().min(1).max(300),
      arguments: jsonObject().default({}),
      callId: CallId.optional().describe("Of the call, as the model made it"),
      endsBecause: EndsBecause.optional().describe("The run ends with this call"),
    }),
    maxBody: 4 * 1024 * 1024,
    ok: PlatformResult,
  }),
};

const ToolOfSet = z.object({
  name: z.string().describe("To be named in `tools` of a message or an agent"),
  description: z.string(),
  effect: ToolEffect,
  openWorld: z.boolean().describe("It reaches what is outside of the installation"),
  permitted: z.boolean().describe("Whether your roles let your replies use it"),
  missing: ReportedError.optional().describe("Why it alone cannot be used here now"),
});

/** Tools of the platform as a user chooses them for a message or an agent. */
const ListedToolset = z.object({
  name: z.string().describe("`toolset:` and this, in `tools`, names all of its tools"),
  title: z.string(),
  description: z.string(),
  permission: z.string().describe("What roles must grant for its tools"),
  unasked: z.boolean().describe("Replies that it suits have its tools without naming them"),
  missing: ReportedError.optional().describe("Why it cannot be used here now"),
  budget: z
    .record(z.string(), z.number())
    .optional()
    .describe("The most that one reply may use with it"),
  tools: z.array(ToolOfSet),
});

export const toolsetsContract = {
  listToolsets: route({
    method: "get",
    path: "/api/v1/toolsets",
    access: "jwt",
    permission: "tool:read",
    summary: "List the abilities of the platform: toolsets, with their tools",
    query: pageQuery,
    ok: pageOf(ListedToolset),
  }),
};
