import { z } from "zod";
import { pageOf, pageQuery } from "../../platform/http/page.ts";
import { route } from "../../platform/http/route.ts";
import { ChosenTools } from "./contract-chosen-tools.ts";

/**
 * OAuth for clients of MCP: what users grant them works at `/mcp` alone. Source: Model Context
 * Protocol, authorization; RFC 6749, 7591, 7636, 8414, 8707, 9207 and 9728.
 */

/** What a client may be granted. */
export const MCP_SCOPES = ["tool:use", "tool:approve"] as const;
const McpScope = z.enum(MCP_SCOPES);
export type McpScope = z.output<typeof McpScope>;

const MAX_ADDRESS = 2_000;

/** What a client sends a user's browser with. */
export const AuthorizationRequest = z.object({
  response_type: z.string().max(100).optional(),
  client_id: z.string().min(1).max(MAX_ADDRESS),
  redirect_uri: z.string().min(1).max(MAX_ADDRESS),
  code_challenge: z.string().max(200).optional(),
  code_challenge_method: z.string().max(20).optional(),
  scope: z.string().max(4_000).optional(),
  state: z.string().max(4_000).optional(),
  resource: z.string().max(MAX_ADDRESS).optional(),
});
export type AuthorizationRequest = z.output<typeof AuthorizationRequest>;

const Grant = z.object({
  id: z.uuid(),
  clientName: z.string().describe("As the client calls itself"),
  clientHost: z
    .string()
    .nullable()
    .describe(
      "The host that says so, of a client with a metadata document; null: nobody does",
    ),
  clientDocument: z
    .string()
    .nullable()
    .describe("The address of its metadata document, where it has one"),
  redirectHost: z.string(),
  scopes: z.array(z.string()),
  tools: z
    .array(z.string())
    .nullable()
    .describe("What was chosen for it: `server` or `server/tool`; null: all"),
  connections: z
    .number()
    .int()
    .describe("How often the client is connected: on several machines, or repeatedly"),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
});

const GrantOfUser = Grant.extend({
  userId: z.uuid(),
  userName: z.string(),
  userEmail: z.string(),
});

const OAuthError = z.object({ error: z.string(), error_description: z.string() });
const errorBody = ({ code, message }: { code: string; message: string }) => ({
  error: code === "mcp_clients_limited" ? "temporarily_unavailable" : "invalid_request",
  error_description: message,
});
/** Source: RFC 7591, section 3.2.2. */
const registrationError = ({ code, message }: { code: string; message: string }) => ({
  error: REGISTRATION_ERRORS[code] ?? "invalid_client_metadata",
  error_description: message,
});
const REGISTRATION_ERRORS: Record<string, string> = {
  mcp_clients_limited: "temporarily_unavailable",
  mcp_redirect_invalid: "invalid_redirect_uri",
  internal_error: "server_error",
};
const ResourceMetadata = z.object({
  resource: z.string(),
  authorization_servers: z.array(z.string()),
  scopes_supported: z.array(z.string()),
  bearer_methods_supported: z.array(z.string()),
  resource_name: z.string(),
});

/** As in the path of `/mcp/<server>`. */
export const McpServerName = z
  .string()
  .max(64)
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/);

export const mcpClientsContract = {
  mcpResource: route({
    method: "get",
    path: "/.well-known/oauth-protected-resource/mcp",
    access: "public",
    summary: "Who signs users in for /mcp (RFC 9728)",
    ok: ResourceMetadata,
  }),
  mcpServerResource: route({
    method: "get",
    path: "/.well-known/oauth-protected-resource/mcp/:server",
    access: "public",
    summary: "The same for /mcp/{server}, whether there is one or not",
    params: z.object({ server: McpServerName }),
    ok: ResourceMetadata,
  }),
  mcpResourceAtRoot: route({
    method: "get",
    path: "/.well-known/oauth-protected-resource",
    access: "public",
    summary: "The same, for clients that look here",
    ok: ResourceMetadata,
  }),
  mcpAuthorizationServer: route({
    method: "get",
    path: "/.well-known/oauth-authorization-server",
    access: "public",
    summary: "How clients of MCP are signed in (RFC 8414)",
    ok: z.object({
      issuer: z.string(),
      authorization_endpoint: z.string(),
      token_endpoint: z.string(),
      registration_endpoint: z.string().optional().describe("With open registration"),
      revocation_endpoint: z.string(),
      scopes_supported: z.array(z.string()),
      response_types_supported: z.array(z.string()),
      grant_types_supported: z.array(z.string()),
      code_challenge_methods_supported: z.array(z.string()),
      token_endpoint_auth_methods_supported: z.array(z.string()),
      revocation_endpoint_auth_methods_supported: z.array(z.string()),
      client_id_metadata_document_supported: z.boolean(),
      authorization_response_iss_parameter_supported: z.boolean(),
    }),
  }),
  registerMcpClient: route({
    method: "post",
    path: "/api/v1/oauth/register",
    access: "public",
    changes: "none",
    summary: "Register a client of MCP (RFC 7591)",
    body: z.object({
      client_name: z.string().max(200).optional(),
      redirect_uris: z.array(z.string().max(MAX_ADDRESS)).min(1).max(10),
    }),
    maxBody: 64 * 1024,
    status: 201,
    errorBody: registrationError,
    errorSchema: OAuthError,
    ok: z.object({
      client_id: z.string(),
      client_id_issued_at: z.number().int(),
      client_name: z.string(),
      redirect_uris: z.array(z.string()),
      grant_types: z.array(z.string()),
      response_types: z.array(z.string()),
      token_endpoint_auth_method: z.string(),
    }),
  }),
  mcpToken: route({
    method: "post",
    path: "/api/v1/oauth/token",
    access: "public",
    changes: "none",
    summary: "Exchange a code, or renew a token, of a client of MCP",
    description:
      "A form (`application/x-www-form-urlencoded`) as in RFC 6749. A code is exchanged once, and a " +
      "token renews once, beside ten seconds of grace: later use ends what was granted.",
    raw: true,
    errorBody,
    errorSchema: OAuthError,
    ok: z.object({
      access_token: z.string(),
      token_type: z.literal("Bearer"),
      expires_in: z.number().int().describe("In seconds"),
      refresh_token: z.string(),
      scope: z.string().describe("Scopes, with a space between"),
    }),
  }),
  revokeMcpToken: route({
    method: "post",
    path: "/api/v1/oauth/revoke",
    access: "public",
    changes: "none",
    summary: "End what was granted to a client of MCP, by one of its tokens (RFC 7009)",
    raw: true,
    errorBody,
    errorSchema: OAuthError,
    ok: z.object({}),
  }),
  readAuthorization: route({
    method: "get",
    path: "/api/v1/oauth/authorization",
    access: "session",
    permission: "tool:use",
    summary: "Read what a client of MCP asks for, before granting it",
    query: AuthorizationRequest,
    ok: z.object({
      clientName: z.string(),
      clientHost: z.string().nullable(),
      clientDocument: z
        .string()
        .nullable()
        .describe("The address of the document that says who the client is"),
      redirectHost: z.string(),
      isLocal: z
        .boolean()
        .describe("Whether it comes back to a program of the user's machine"),
      scopes: z.array(McpScope),
    }),
  }),
  decideAuthorization: route({
    method: "post",
    path: "/api/v1/oauth/authorization",
    access: "session",
    permission: "tool:use",
    changes: "session",
    summary: "Grant a client of MCP what it asks for, or refuse it",
    body: z.object({
      request: AuthorizationRequest,
      scopes: z.array(McpScope).max(MCP_SCOPES.length).describe("None: it is refused"),
      tools: ChosenTools.optional().describe(
        "Tools that it may run: `server` for all of one, or `server/tool` by the name that " +
          "`GET /api/v1/tools` lists. Default: those that its user may run",
      ),
    }),
    ok: z.object({ url: z.string().describe("Where the browser goes then") }),
  }),
  listMcpGrants: route({
    method: "get",
    path: "/api/v1/oauth/grants",
    access: "session",
    permission: "signed-in",
    summary: "List the clients of MCP that may use tools for you, each once",
    query: pageQuery,
    ok: pageOf(Grant),
  }),
  deleteMcpGrant: route({
    method: "delete",
    path: "/api/v1/oauth/grants/:id",
    access: "session",
    permission: "signed-in",
    changes: "session",
    summary: "Take from a client of MCP what you granted, on all its machines",
    params: z.object({ id: z.uuid() }),
  }),
  listGrantsOfUsers: route({
    method: "get",
    path: "/api/v1/mcp-grants",
    access: "admin",
    permission: "user:administer",
    summary: "List what the users of the organisation granted to clients of MCP",
    query: pageQuery.extend({ userId: z.uuid().optional().describe("Of one user alone") }),
    ok: pageOf(GrantOfUser),
  }),
  deleteGrantOfUser: route({
    method: "delete",
    path: "/api/v1/mcp-grants/:id",
    access: "admin",
    permission: "user:administer",
    changes: "user",
    summary: "Take from a client of MCP what a user granted, on all its machines",
    params: z.object({ id: z.uuid() }),
  }),
  verifyMcpToken: route({
    method: "post",
    path: "/api/v1/oauth/verify",
    access: "user-secret",
    changes: "none",
    summary: "Read the user of a token of a client of MCP",
    body: z.object({
      token: z
        .string()
        .max(32 * 1024)
        .describe("Whatever a header holds; unknown is 401"),
    }),
    ok: z.object({
      user: z.object({
        userId: z.string(),
        email: z.string(),
        name: z.string(),
        roles: z.array(z.string()),
        clientId: z.string(),
        scopes: z.array(z.string()),
        tools: z.array(z.string()).optional(),
      }),
    }),
  }),
};
