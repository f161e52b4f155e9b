import { z } from "zod";
import { jsonObject } from "../../platform/http/bounds.ts";
import { route } from "../../platform/http/route.ts";
import { ToolResult } from "./contract-tools.ts";

/** Views of results (MCP Apps), which Parlance's own pages show in a frame. */

const ViewName = {
  server: z.string().max(64).describe("Of the tool that names the view"),
};

export const viewsContract = {
  readView: route({
    method: "post",
    path: "/api/v1/tools/view",
    access: "jwt",
    permission: "tool:use",
    changes: "none",
    summary: "Read the page in which a tool shows its results",
    body: z.object({
      ...ViewName,
      uri: z
        .string()
        .max(2_000)
        .regex(/^ui:\/\//, "an address that begins with ui://")
        .meta({ examples: ["ui://travel/timetable.html"] }),
      tool: z
        .string()
        .max(200)
        .optional()
        .describe("The tool that was called, as it is listed: the view learns what it is"),
    }),
    ok: z.object({
      html: z.string(),
      policy: z
        .string()
        .describe("The content security policy of what the page declares that it needs"),
      tool: z
        .record(z.string(), z.unknown())
        .optional()
        .describe("The tool that was named, as its server describes it"),
    }),
  }),
  readViewResource: route({
    method: "post",
    path: "/api/v1/tools/view/resource",
    access: "jwt",
    permission: "tool:use",
    changes: "none",
    summary: "Read a resource as a view of its own server asks for it",
    body: z.object({
      ...ViewName,
      uri: z.string().min(1).max(10_000).describe("Of a resource that the server lists"),
    }),
    ok: z.object({
      contents: z
        .array(z.record(z.string(), z.unknown()))
        .describe("As its server answers, 3 MB at most"),
    }),
  }),
  listViewResources: route({
    method: "post",
    path: "/api/v1/tools/view/resources",
    access: "jwt",
    permission: "tool:use",
    changes: "none",
    summary: "List the resources of a view's own server",
    body: z.object({
      ...ViewName,
      kind: z.enum(["resources", "templates"]).default("resources"),
    }),
    ok: z.object({
      items: z
        .array(z.record(z.string(), z.unknown()))
        .describe("As their server lists them, 500 at most"),
    }),
  }),
  callFromView: route({
    method: "post",
    path: "/api/v1/tools/view/call",
    access: "jwt",
    permission: "tool:use",
    changes: "none",
    summary: "Call a tool as a view of its own server asks for it",
    description:
      "A tool that may destroy something runs only with `approved`, once its user has said yes.",
    body: z.object({
      ...ViewName,
      tool: z.string().min(1).max(128).describe("As its server names it"),
      arguments: jsonObject().default({}),
      approved: z.boolean().default(false).describe("Whether the user was asked"),
    }),
    maxBody: 1024 * 1024,
    ok: z.union([
      z.object({
        state: z.literal("asks"),
        tool: z.string().describe("The tool that wants to run, as it is listed"),
      }),
      z.object({ state: z.literal("answered"), result: ToolResult }),
    ]),
  }),
};
