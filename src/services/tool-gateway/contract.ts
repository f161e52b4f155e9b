import { z } from "zod";
import { ToolServerAddress } from "./commands/contract.ts";
import { jsonObject, limitKeys } from "../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { ReportedError } from "../../platform/http/reported-error.ts";
import { route } from "../../platform/http/route.ts";
import { PERSONAL_DATA } from "../users/contract-user-deletion.ts";
import { connectionsContract } from "./contract-connections.ts";
import { serverTestContract } from "./contract-server-test.ts";
import { ToolResult } from "./contract-tools.ts";
import { viewsContract } from "./contract-views.ts";

const ToolName = z
  .string()
  .max(128)
  .regex(/^[A-Za-z0-9_.-]{1,128}$/, "letters, digits, dots, dashes and underscores");

/** How Parlance is known at the authorization server of a tool server. */
export const OAuthSettings = z.object({
  clientId: z
    .string()
    .min(1)
    .max(2_000)
    .optional()
    .describe("Of a registration by hand; without it Parlance registers itself"),
  clientSecret: z
    .string()
    .min(1)
    .max(10_000)
    .optional()
    .describe("Of that registration; absent in a change: it stays")
    .meta({ secret: true }),
  issuer: z
    .string()
    .max(2_000)
    .optional()
    .describe(
      "The only authorization server that the client may be used at; absent: the first one that the " +
        "server names",
    ),
  scopes: z
    .array(z.string().min(1).max(500))
    .max(100)
    .optional()
    .describe("Rights to ask for, in place of those that the server names"),
  useMetadataDocument: z
    .boolean()
    .optional()
    .describe(
      "`false`: register even where the server would read `/mcp/oauth/client.json`, such as one " +
        "that cannot reach this installation",
    ),
});

const MAX_SERVER_FIELDS = 100;
export const ToolServer = limitKeys(
  z.looseObject({
    name: z
      .string()
      .max(64)
      .regex(
        /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/,
        "letters, digits, dots, dashes and underscores",
      ),
    url: ToolServerAddress,
    headers: limitKeys(z.record(z.string().max(256), z.string().max(64 * 1024)), 100)
      .optional()
      .describe(
        "Sent with each request, such as a key; `{{user.id}}`, `{{user.email}}` and " +
          "`{{secret.<name>}}`, which each user fills in, differ from user to user",
      )
      .meta({ secret: true }),
    oauth: OAuthSettings.optional().describe("For a server that signs users in (OAuth)"),
    transport: z
      .literal("streamable-http", "only streamable HTTP tool servers are supported")
      .optional(),
    enabled: z.boolean().default(true),
    trusted: z
      .boolean()
      .optional()
      .describe(
        "Whether tools that it adds later are offered unasked, and its word counts that a tool does " +
          "not reach the open world; without it new tools wait for approval, and labels judge calls " +
          "of all its tools as calls to the outside",
      ),
    registeredAt: z.iso
      .datetime()
      .max(64)
      .optional()
      .describe("Of its registration; ignored where it is sent"),
    rename: limitKeys(z.record(z.string().max(128), ToolName), 1_000)
      .optional()
      .describe("Other names for its tools: `{theirName: ourName}`"),
    hide: z
      .array(z.string().max(128))
      .max(1_000)
      .optional()
      .describe("Tools that are not offered"),
  }),
  MAX_SERVER_FIELDS,
).refine(
  (entry) => !("command" in entry) && !("args" in entry),
  "a tool server is an address, never a command: the operator names those in MCP_COMMANDS, and stdio:<name> is one of them",
);
export type ToolServer = z.output<typeof ToolServer>;

/** As it is given: an unknown field may be a misspelt one that holds a secret. */
export const GivenToolServer = limitKeys(
  ToolServer.safeExtend({
    oauth: OAuthSettings.strict()
      .optional()
      .describe(ToolServer.shape.oauth.description ?? ""),
  }),
  MAX_SERVER_FIELDS,
).superRefine((entry, context) => {
  for (const key of Object.keys(entry))
    if (!Object.hasOwn(ToolServer.shape, key) && key !== "command" && key !== "args")
      context.addIssue({
        code: "custom",
        path: [key],
        message: `is no field of a tool server: ${Object.keys(ToolServer.shape).join(", ")}`,
      });
});

/** The gateway's configuration: a JSON array. */
export const ToolServers = z.array(ToolServer).max(1_000);

export const ToolAnnotations = z.looseObject({
  title: z.string().optional(),
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
});

/** Characters of a tool's description in a list to choose from. */
export const MAX_SUMMARY_CHARACTERS = 500;

/** Errors of `/mcp`: of JSON-RPC, or of this API. */
const JsonRpcError = z.union([
  z.object({
    jsonrpc: z.literal("2.0"),
    error: z.object({ code: z.number().int(), message: z.string() }),
    id: z.union([z.string(), z.number(), z.null()]),
  }),
  z.object({ error: z.string(), code: z.string(), requestId: z.string() }),
]);
export const ToolEffect = z
  .enum(["read_only", "additive", "destructive"])
  .describe("`additive`: it changes something and destroys nothing");
export type ToolEffect = z.output<typeof ToolEffect>;

export const ListedTool = z.object({
  name: z.string(),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
  server: z.string().default(""),
  annotations: ToolAnnotations.optional(),
  title: z.string().optional(),
  outputSchema: z.record(z.string(), z.unknown()).optional(),
  effect: ToolEffect.optional(),
  effectBy: z
    .enum(["administrator", "server", "default"])
    .optional()
    .describe(
      "`server`: by its annotations; `default`: it has none, so it counts as destructive",
    ),
  fingerprint: z.string().optional().describe("Fingerprint of its whole definition"),
  view: z
    .string()
    .max(2_000)
    .optional()
    .describe("The view that shows its results (`ui://`)"),
});
export type ListedTool = z.output<typeof ListedTool>;

const ServerState = z.object({
  name: z.string(),
  state: z
    .enum(["connecting", "ready", "idle", "signed-out", "down", "disabled"])
    .describe("`signed-out`: an administrator must connect it first"),
  signIn: z.boolean().optional().describe("Whether it signs users in (OAuth)"),
  values: z
    .array(z.string())
    .optional()
    .describe("What each user fills in for its headers; empty: only who asks is sent"),
  issuer: z
    .string()
    .optional()
    .describe("Where its client ID may be used: as entered, else the first one it named"),
  redirectUri: z.string().optional().describe("To be registered there by hand"),
  tools: z.number().int(),
  withheld: z.number().int().optional().describe("New and changed tools to approve"),
  error: ReportedError.optional().describe("Why it cannot be used"),
});

const ToolDefinition = ListedTool.omit({
  name: true,
  server: true,
  effect: true,
  effectBy: true,
  fingerprint: true,
  view: true,
});
const ClassifiedTool = ListedTool.omit({ inputSchema: true, outputSchema: true }).extend({
  tool: z.string().describe("The server's own name of the tool"),
});
const WithheldTool = ToolDefinition.extend({
  server: z.string(),
  name: z.string(),
  fingerprint: z.string().describe("Fingerprint of its current definition"),
  isNew: z.boolean().describe("It was added after its server was registered"),
  approved: ToolDefinition.describe(
    "Its definition when it was approved; empty if it is new",
  ),
});

/** A tool as a user chooses it for a message or an agent. */
const OfferedTool = z.object({
  name: z.string().describe("To be named in `tools` of a message or an agent"),
  title: z.string().optional(),
  server: z.string(),
  description: z.string().describe(`At most ${MAX_SUMMARY_CHARACTERS} characters`),
  effect: ToolEffect,
  destructive: z.boolean().describe("Its calls wait for approval"),
  permitted: z
    .boolean()
    .describe("Whether your roles let your replies use it (`tool:use`)"),
});

const operator = ["mcp-secret", "operator"] as const;
const client = ["mcp-secret", "key", "mcp-token"] as const;

const mcpPost = {
  method: "post",
  access: client,
  permission: "tool:use",
  changes: "none",
  raw: true,
  produces: ["application/json", "text/event-stream"],
  also: { 202: "A notification or response was accepted." },
  errorSchema: JsonRpcError,
} as const;
const mcpGet = {
  method: "get",
  access: client,
  permission: "tool:use",
  summary: "Hear of changes in a session of 2025-11-25 or older; refused without one",
  raw: true,
  produces: ["text/event-stream"],
  streamLimit: 50,
  endsAtShutdown: true,
  hidden: true,
} as const;
const mcpDelete = {
  method: "delete",
  access: client,
  permission: "tool:use",
  changes: "none",
  summary: "Not offered: a session holds nothing that could be ended",
  raw: true,
  hidden: true,
} as const;
const oneServer = {
  path: "/mcp/:server",
  params: z.object({ server: z.string().max(64).describe("The name of a tool server") }),
} as const;

export const toolGatewayContract = {
  personalData: PERSONAL_DATA["tool-gateway"],
  listTools: route({
    method: "get",
    path: "/mcp/v1/tools/list-tools",
    access: "mcp-secret",
    summary: "List the tools of all registered servers",
    ok: z.object({ tools: z.array(ListedTool) }),
  }),
  callTool: route({
    method: "post",
    path: "/mcp/v1/tools/call-tool",
    access: "mcp-secret",
    changes: "none",
    summary: "Run a tool by name",
    body: z.object({
      name: z.string().min(1).max(300),
      arguments: jsonObject().default({}),
      userId: z
        .string()
        .max(300)
        .optional()
        .describe("For whom; users take turns at a busy server"),
    }),
    maxBody: 4 * 1024 * 1024,
    ok: ToolResult,
  }),
  listOfferedTools: route({
    method: "get",
    path: "/api/v1/tools",
    access: "jwt",
    permission: "tool:read",
    summary: "List the tools of all servers, for users to choose from",
    query: pageQuery.extend({
      query: z.string().max(200).optional().describe("Part of the name, title or server"),
    }),
    ok: pageOf(OfferedTool),
  }),
  listServers: route({
    method: "get",
    path: "/mcp/v1/servers",
    access: operator,
    permission: "tool:administer",
    summary: "List the tool servers and their state",
    query: pageQuery,
    ok: pageOf(ServerState),
  }),
  listWithheld: route({
    method: "get",
    path: "/mcp/v1/tools/withheld",
    access: operator,
    permission: "tool:administer",
    summary: "List the tools that wait for approval: new and changed ones",
    query: pageQuery,
    ok: pageOf(WithheldTool),
  }),
  listClassified: route({
    method: "get",
    path: "/mcp/v1/tools",
    access: operator,
    permission: "tool:administer",
    summary: "List the tools with their effects: read, add or destroy",
    query: pageQuery.extend({
      query: z.string().max(200).optional().describe("Part of the name, title or server"),
      server: z.string().max(64).optional().describe("Only tools of this server"),
    }),
    ok: pageOf(ClassifiedTool),
  }),
  classifyTool: route({
    method: "put",
    path: "/mcp/v1/tools/:server/:tool",
    access: operator,
    permission: "tool:administer",
    changes: "tool-server",
    summary: "Set the effect of a tool until the tool changes",
    params: z.object({
      server: z.string().max(64),
      tool: z.string().max(128).describe("The server's own name of the tool"),
    }),
    body: z.object({
      effect: ToolEffect.nullable().describe("null: the effect by its own annotations"),
    }),
    ok: ClassifiedTool,
  }),
  approveTool: route({
    method: "post",
    path: "/mcp/v1/tools/approve",
    access: operator,
    permission: "tool:administer",
    changes: "tool-server",
    summary: "Approve a new or changed tool, so that it is offered",
    body: z.object({
      server: z.string().max(64),
      name: z.string().max(128).describe("The server's own name of the tool"),
      fingerprint: z
        .string()
        .max(64)
        .optional()
        .describe(
          "Of the definition that was reviewed: 409 if the tool changed since then",
        ),
    }),
    ok: z.object({ approved: z.literal(true) }),
  }),
  ...serverTestContract,
  ...connectionsContract,
  ...viewsContract,
  refresh: route({
    method: "post",
    path: "/mcp/v1/refresh",
    access: operator,
    permission: "tool:administer",
    changes: "tool-server",
    summary: "Read the configuration and the lists of tools again now",
    failures: { 400: "MCP_SERVERS_FILE cannot be read, or is not valid." },
    ok: z.object({ servers: z.number().int() }),
  }),
  mcpPost: route({
    ...mcpPost,
    path: "/mcp",
    summary: "Use all tools over the Model Context Protocol (streamable HTTP)",
  }),
  mcpGet: route({ ...mcpGet, path: "/mcp" }),
  mcpDelete: route({ ...mcpDelete, path: "/mcp" }),
  mcpServerPost: route({
    ...mcpPost,
    ...oneServer,
    summary: "Use the tools of one server alone over the Model Context Protocol",
    description: "As /mcp, with the names that its tools have without the other servers.",
  }),
  mcpServerGet: route({ ...mcpGet, ...oneServer }),
  mcpServerDelete: route({ ...mcpDelete, ...oneServer }),
};
