import { z } from "zod";
import { limitKeys } from "../../platform/http/bounds.ts";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route } from "../../platform/http/route.ts";

const ServerName = z.object({ server: z.string().max(64) });

/** The account of a user at a tool server that signs users in. */
const ToolConnection = z.object({
  server: z.string(),
  state: z
    .enum(["none", "connected", "expired", "incomplete"])
    .describe(
      "`expired`: connect again; `incomplete`: a tool needs more rights, connect again to grant them",
    ),
  connectedAt: z.iso.datetime().nullable(),
  scopes: z.array(z.string()).describe("The rights that were asked for and granted"),
  wantedScopes: z.array(z.string()).describe("What the server wants beyond that"),
  lists: z.boolean().describe("Whether the list of its tools is read with this account"),
  values: z
    .array(z.object({ name: z.string(), isSet: z.boolean() }))
    .describe(
      "What you fill in for its headers, such as a key; what was filled in is not shown",
    ),
});
export type ToolConnection = z.output<typeof ToolConnection>;

const Address = z.object({
  url: z.string().describe("Where the user signs in, in a browser; ten minutes"),
});

const Values = z.object({
  values: limitKeys(
    z.record(
      z.string().max(32),
      z
        .string()
        .max(4_000)
        .trim()
        .min(1)
        .regex(/^[\x20-\x7e]+$/, "printable characters of ASCII, as headers hold"),
    ),
    10,
  ).describe("By name; what is not named stays as it was"),
});

const ClientMetadata = z.object({
  client_id: z.string(),
  client_name: z.string(),
  client_uri: z.string(),
  redirect_uris: z.array(z.string()),
  grant_types: z.array(z.string()),
  response_types: z.array(z.string()),
  application_type: z.string(),
  token_endpoint_auth_method: z.string(),
});

/** Accounts at tool servers. Source: Model Context Protocol, authorization. */
export const connectionsContract = {
  listConnections: route({
    method: "get",
    path: "/api/v1/tool-connections",
    access: "jwt",
    permission: "tool:read",
    summary: "List the tool servers that want your account or values of you",
    query: pageQuery.extend({
      query: z.string().max(64).optional().describe("Part of the name of a server"),
    }),
    ok: pageOf(ToolConnection),
  }),
  connect: route({
    method: "post",
    path: "/api/v1/tool-connections/:server/connect",
    access: "session",
    permission: "tool:read",
    changes: "none",
    summary: "Begin to connect your account at a tool server",
    description:
      "Visit `url` in a browser. It comes back to `/connections/callback/…`, whose page sends what it " +
      "was given to `/api/v1/tool-connections/complete`. Only the user who began can end it.",
    params: ServerName,
    ok: Address,
  }),
  connectForAll: route({
    method: "post",
    path: "/mcp/v1/servers/:server/connect",
    access: "operator",
    permission: "tool:administer",
    changes: "none",
    summary: "Begin to connect your account, with which the list of tools is read, too",
    params: ServerName,
    ok: Address,
  }),
  completeConnection: route({
    method: "post",
    path: "/api/v1/tool-connections/complete",
    access: "session",
    permission: "tool:read",
    changes: ["tool-server", "approval"],
    summary: "End what was begun, with what the authorization server sent back",
    body: z.object({
      state: z.string().min(1).max(2_000),
      callback: z
        .string()
        .max(100)
        .optional()
        .describe("The last part of the address that the browser came back to"),
      code: z.string().min(1).max(10_000).optional(),
      iss: z.string().max(2_000).optional(),
      error: z.string().max(200).optional(),
      errorDescription: z.string().max(10_000).optional(),
    }),
    ok: z.object({ server: z.string() }),
  }),
  fillValues: route({
    method: "put",
    path: "/api/v1/tool-connections/:server/values",
    access: "session",
    permission: "tool:read",
    changes: ["tool-server", "approval"],
    summary: "Fill in what a tool server wants of you in its headers",
    description:
      "Encrypted, sent to the address of this server alone, and shown to nobody.",
    params: ServerName,
    body: Values,
  }),
  fillValuesForAll: route({
    method: "put",
    path: "/mcp/v1/servers/:server/values",
    access: "operator",
    permission: "tool:administer",
    changes: ["tool-server", "approval"],
    summary: "The same, with which the list of tools is read, too",
    params: ServerName,
    body: Values,
  }),
  disconnect: route({
    method: "delete",
    path: "/api/v1/tool-connections/:server",
    access: "session",
    permission: "tool:read",
    changes: "tool-server",
    summary: "Forget your account at a tool server, and end its tokens there",
    description: "What you filled in for its headers is forgotten, too.",
    params: ServerName,
  }),
  clientMetadata: route({
    method: "get",
    path: "/mcp/oauth/client/:issuer",
    access: "public",
    summary:
      "What an authorization server reads about Parlance (client ID metadata document)",
    params: z.object({
      issuer: z
        .string()
        .max(32)
        .regex(/^[0-9a-f]{32}$/)
        .describe("The beginning of the SHA-256 of its issuer, in hex"),
    }),
    ok: ClientMetadata,
  }),
  earlierClientMetadata: route({
    method: "get",
    path: "/mcp/oauth/client.json",
    access: "public",
    summary: "The same, of accounts that were connected before each issuer had its own",
    ok: ClientMetadata,
  }),
};
