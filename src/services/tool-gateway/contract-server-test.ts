import { z } from "zod";
import { ToolServerAddress } from "./commands/contract.ts";
import { limitKeys } from "../../platform/http/bounds.ts";
import { ReportedError } from "../../platform/http/reported-error.ts";
import { route } from "../../platform/http/route.ts";

const TestedServer = z.object({
  url: ToolServerAddress,
  headers: limitKeys(z.record(z.string().max(256), z.string().max(64 * 1024)), 100)
    .optional()
    .describe("Sent with each request, such as a key")
    .meta({ secret: true }),
  name: z
    .string()
    .max(64)
    .optional()
    .describe(
      "A registered server: its stored headers are sent where `headers` is missing",
    ),
});
export type TestedServer = z.output<typeof TestedServer>;

const ServerTest = z.object({
  ok: z.boolean(),
  latencyMs: z.number().int(),
  tools: z
    .array(
      z.object({ name: z.string(), title: z.string().optional(), description: z.string() }),
    )
    .describe("What the server offers, at most 1,000"),
  error: ReportedError.optional().describe("Why it failed, without the server's own words"),
});
export type ServerTest = z.output<typeof ServerTest>;

export const serverTestContract = {
  testServer: route({
    method: "post",
    path: "/mcp/v1/servers/test",
    access: ["mcp-secret", "operator"],
    permission: "tool:administer",
    changes: "none",
    summary: "Connect to a tool server that is not saved yet, and list its tools",
    description:
      "Ends within 15 seconds. The address must be one that this server may call. Stored headers " +
      "go to the stored address only.",
    body: TestedServer,
    ok: ServerTest,
  }),
};
