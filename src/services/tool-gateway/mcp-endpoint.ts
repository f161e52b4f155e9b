import {
  type CallToolResult,
  type ClientCapabilities,
  createMcpHandler,
  isInitializeRequest,
  type McpHttpHandler,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { uuidv7 } from "uuidv7";
import { ApiError, Forbidden } from "../../platform/http/errors.ts";
import { isRecord } from "../../platform/json/is-record.ts";
import { readJsonText } from "../../platform/http/read-body.ts";
import { json } from "../../platform/http/respond.ts";
import { StreamResponse } from "../../platform/http/stream.ts";
import type { Cancellations } from "./cancel-calls.ts";
import { type ClientAnswers, responseIn } from "./client-answers.ts";
import type { ListedTool } from "./contract.ts";
import type { Ask, Notice } from "./call-tool.ts";
import type { Gateway } from "./gateway.ts";
import {
  type ContentKind,
  fitsTemplate,
  type Offered,
  type Prompt,
} from "./remote-content.ts";
import { type CallOptions, RemoteError, type Session } from "./session.ts";
import type { PermittedTools } from "./permitted-tools.ts";
import { isOwnHost } from "./is-own-host.ts";

const MAX_BODY_BYTES = 4 * 1024 * 1024;
const SERVER_INFO = { name: "parlance", version: "1" };

interface Deps {
  gateway: Gateway;
  cancellations: Cancellations;
  answers: ClientAnswers;
  /** Whose pages may ask: its own, and those that the operator names. */
  origins: readonly string[];
  /** Host names of this server, beside addresses and names without a dot. */
  hosts: readonly string[];
}

interface McpRequest {
  request: Request;
  /** Identifies the client, so that nobody cancels the calls of another one. */
  caller: string;
  /** Whose turn a call takes at a busy server; a service has none. */
  userId: string | undefined;
  tools: PermittedTools;
  signal: AbortSignal;
}

/** The gateway as an MCP server. */
export interface McpEndpoint extends AsyncDisposable {
  answer(mcp: McpRequest): Promise<Response>;
}

/** More of them would hold memory and connections for hints only. */
const MAX_SUBSCRIPTIONS = 1_000;

/**
 * Serves both eras of the protocol. A server lives for one request, so no answer can reach another
 * client, and any replica can take any request. The session id of the older era only says which
 * requests belong together. Source: Model Context Protocol, 2025-11-25 and 2026-07-28.
 */
export function createMcpEndpoint(deps: Deps): McpEndpoint {
  const requests = new WeakMap<object, McpRequest>();
  const handler = createMcpHandler(
    (context) => createServer(deps, requestOf(requests, context)),
    { maxSubscriptions: MAX_SUBSCRIPTIONS },
  );
  deps.gateway.onToolsChanged(() => handler.notify.toolsChanged());
  return {
    answer: (mcp) => answerMcp(deps, handler, requests, mcp),
    [Symbol.asyncDispose]: () => handler.close(),
  };
}

function requestOf(
  requests: WeakMap<object, McpRequest>,
  { authInfo }: McpRequestContext,
): McpRequest {
  const mcp = authInfo && requests.get(authInfo);
  if (!mcp) throw new Error("a request of the protocol came without its caller");
  return mcp;
}

async function answerMcp(
  deps: Deps,
  handler: McpHttpHandler,
  requests: WeakMap<object, McpRequest>,
  mcp: McpRequest,
): Promise<Response> {
  const { request, caller } = mcp;
  checkOrigin(deps, request);
  const text = await readJsonText(request, { maxBytes: MAX_BODY_BYTES });
  const body = parseJsonOrUndefined(text);
  const requestId = cancelledRequest(body);
  const session = sessionOf(request);
  if (requestId !== undefined)
    await deps.cancellations.cancel({ caller, session, requestId });
  const response = responseIn(body);
  if (response) {
    const { requestId: asked, answer } = response;
    await deps.answers.answer({ caller, session, requestId: asked }, answer);
    return new Response(null, { status: 202 });
  }
  const { url, method, headers } = request;
  const leaving = new AbortController();
  const signal = AbortSignal.any([mcp.signal, leaving.signal]);
  const authInfo = { token: "", clientId: caller, scopes: [] };
  requests.set(authInfo, { ...mcp, signal });
  const answer = await handler.fetch(
    new Request(url, { method, headers, body: text, signal }),
    // a body that is not JSON is for the handler to answer
    { authInfo, ...(body !== undefined && { parsedBody: body }) },
  );
  const stream = toStreamResponse(answer, () => leaving.abort());
  if (isInitializeRequest(body)) {
    const can = lettersOf(body.params.capabilities);
    stream.headers.set("mcp-session-id", `${uuidv7()}${can && `-${can}`}`);
  }
  return stream;
}

/** What a client can be asked stands in the id of its session: no replica has to remember it. */
const LETTERS = { elicitation: "e", sampling: "s", roots: "r" } as const;
const CAN = /^[\da-f-]{36}-([esr]{1,3})$/;

function lettersOf(capabilities: ClientCapabilities): string {
  return Object.entries(LETTERS)
    .map(([name, letter]) => (name in capabilities ? letter : ""))
    .join("");
}

function capabilitiesOf(session: string): ClientCapabilities | undefined {
  const [, letters] = CAN.exec(session) ?? [];
  if (letters === undefined) return undefined;
  const names = Object.entries(LETTERS).filter(([, letter]) => letters.includes(letter));
  return Object.fromEntries(names.map(([name]) => [name, {}]));
}

function sessionOf(request: Request): string {
  return request.headers.get("mcp-session-id") ?? "";
}

/** The request that a notification of the older era cancels. */
function cancelledRequest(body: unknown): string | number | undefined {
  if (!isRecord(body) || body["method"] !== "notifications/cancelled") return undefined;
  const id = isRecord(body["params"]) ? body["params"]["requestId"] : undefined;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

/** @throws Forbidden for requests that DNS rebinding or a page of another origin may have sent. */
function checkOrigin({ hosts, origins }: Deps, request: Request): void {
  if (!isOwnHost(request.url, hosts))
    throw new Forbidden(
      "host_not_allowed",
      "This host name does not belong to Parlance. Use PUBLIC_URL, or add it to MCP_ALLOWED_HOSTS.",
    );
  const origin = request.headers.get("origin");
  // the host was checked: a page of the same host and port is our own
  const isOwn =
    origins.includes(origin ?? "") ||
    URL.parse(origin ?? "")?.host === new URL(request.url).host;
  if (origin !== null && !isOwn)
    throw new Forbidden(
      "origin_not_allowed",
      "Pages of other origins may not call this endpoint. Call it from Parlance's own pages, or " +
        "add the origin to CORS_ORIGINS.",
    );
}

function createServer({ gateway, cancellations, answers }: Deps, mcp: McpRequest): Server {
  const { caller, userId, tools, signal, request } = mcp;
  const server = new Server(SERVER_INFO, {
    capabilities: {
      tools: { listChanged: true },
      resources: {},
      prompts: {},
      completions: {},
      logging: {},
    },
  });
  /** Runs work of a request until it is cancelled. */
  const run = async <T>(
    context: ServerContext,
    work: (options: CallOptions) => Promise<T>,
  ): Promise<T> => {
    const { id: requestId, signal: left } = context.mcpReq;
    const stop = new AbortController();
    const session = sessionOf(request);
    const key = { caller, session, requestId };
    const unregister = cancellations.register(key, () => {
      stop.abort();
      // a cancelled request gets no answer
      void server.close();
    });
    try {
      const ends = AbortSignal.any([signal, left, stop.signal]);
      const capabilities = capabilitiesOf(session);
      return await work({
        userId,
        signal: ends,
        onNotice: (notice) => passOn(notice, context),
        questions: capabilities && {
          capabilities,
          async ask(question) {
            const id = uuidv7();
            const answer = answers.wait({ caller, session, requestId: id }, ends);
            const message = { jsonrpc: "2.0" as const, id, ...question };
            await server.transport?.send(message, { relatedRequestId: requestId });
            return answer;
          },
        },
      });
    } finally {
      unregister();
    }
  };
  const offered = async <K extends ContentKind>(kind: K) => {
    const readable = await tools.servers(gateway.list());
    return gateway.content(kind, (name) => readable(name));
  };
  const items = async <K extends ContentKind>(kind: K) =>
    (await offered(kind)).map(({ item }) => item);

  server.setRequestHandler("tools/list", async () => ({
    tools: (await tools.filter(gateway.list())).map(toMcpTool),
  }));
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const { name, arguments: args = {} } = params;
    return run(context, async (options) => {
      try {
        await tools.check(name, gateway.list());
        // the result of an MCP server has the same schema
        return (await gateway.call(name, args, options)) as CallToolResult;
      } catch (error) {
        return toErrorResult(error);
      }
    });
  });
  server.setRequestHandler("resources/list", async () => ({
    resources: await items("resources"),
  }));
  server.setRequestHandler("resources/templates/list", async () => ({
    resourceTemplates: await items("templates"),
  }));
  server.setRequestHandler("resources/read", ({ params: { uri } }, context) =>
    run(context, async (options) => {
      const [resources, templates] = await Promise.all([
        offered("resources"),
        offered("templates"),
      ]);
      const holder =
        resources.find(({ item }) => item.uri === uri) ??
        templates.find(({ item }) => fitsTemplate(item.uriTemplate, uri));
      if (!holder) throw new ResourceNotFoundError(uri);
      return ask(holder.session, { method: "resources/read", params: { uri } }, options);
    }),
  );
  server.setRequestHandler("prompts/list", async () => ({
    prompts: await items("prompts"),
  }));
  server.setRequestHandler("prompts/get", ({ params }, context) =>
    run(context, async (options) => {
      const { session, name } = findPrompt(await offered("prompts"), params.name);
      return ask(session, { method: "prompts/get", params: { ...params, name } }, options);
    }),
  );
  server.setRequestHandler("completion/complete", ({ params }, context) =>
    run(context, async (options) => {
      const { ref } = params;
      if (ref.type === "ref/prompt") {
        const { session, name } = findPrompt(await offered("prompts"), ref.name);
        const asked = { ...params, ref: { ...ref, name } };
        return ask(session, { method: "completion/complete", params: asked }, options);
      }
      const holder = (await offered("templates")).find(
        ({ item }) => item.uriTemplate === ref.uri,
      );
      if (!holder) throw new ResourceNotFoundError(ref.uri);
      return ask(holder.session, { method: "completion/complete", params }, options);
    }),
  );
  return server;
}

/** Sends a request on to its server, and returns what it answers. @throws ProtocolError. */
async function ask(session: Session, request: Ask, options: CallOptions): Promise<never> {
  try {
    // the server's answer has the schema of its method, which the SDK checks
    return (await session.ask(request, options)) as never;
  } catch (error) {
    if (error instanceof RemoteError)
      throw new ProtocolError(error.code, error.message, error.data);
    if (error instanceof ApiError)
      throw new ProtocolError(ProtocolErrorCode.InternalError, error.message);
    throw error;
  }
}

/** @throws ProtocolError for a name that nobody offers. */
function findPrompt(prompts: readonly Offered<Prompt>[], name: string) {
  const found = prompts.find(({ item }) => item.name === name);
  if (found) return { session: found.session, name: found.theirName };
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no prompt "${name}". prompts/list names those that there are.`,
  );
}

/** Tells the client what the tool server says meanwhile. */
function passOn({ method, params }: Notice, { mcpReq }: ServerContext): void {
  const progressToken = mcpReq._meta?.progressToken;
  const isProgress = method === "notifications/progress";
  if (isProgress && progressToken === undefined) return;
  const told = isProgress ? { ...params, progressToken } : params;
  // the client has gone: the call ends by its signal
  mcpReq.notify({ method, params: told }).catch(() => {});
}

/**
 * What went wrong, for the model to handle.
 * @throws ProtocolError for a tool that the caller may not run, which no model can mend.
 */
function toErrorResult(error: unknown): CallToolResult {
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 403)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
  return { content: [{ type: "text", text: error.message }], isError: true };
}

/** A tool as its server describes it, with the effect that an administrator set. */
function toMcpTool(listed: ListedTool) {
  const { name, title, description, inputSchema, outputSchema, annotations } = listed;
  const hints = listed.effectBy === "administrator" && {
    readOnlyHint: listed.effect === "read_only",
    destructiveHint: listed.effect === "destructive",
  };
  return {
    name,
    description,
    inputSchema: { type: "object" as const, ...inputSchema },
    ...(title && { title }),
    ...((annotations || hints) && { annotations: { ...annotations, ...hints } }),
    ...(outputSchema && { outputSchema: { type: "object" as const, ...outputSchema } }),
  };
}

function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The SDK's response as a stream of the platform: a client that disconnects ends the call, and a
 * shutdown waits for it.
 */
function toStreamResponse(
  { body, status, headers }: Response,
  onEnd: () => void,
): Response {
  if (!body) {
    onEnd();
    return new Response(null, { status, headers });
  }
  const reader = body.getReader();
  const decoder = new TextDecoder();
  return new StreamResponse(
    {
      async next() {
        try {
          const { done, value } = await reader.read();
          if (!done) return decoder.decode(value, { stream: true });
        } catch (error) {
          onEnd();
          throw error;
        }
        onEnd();
        return undefined;
      },
      cancel() {
        onEnd();
        // the client has gone: nobody reads on
        void reader.cancel().catch(() => {});
      },
    },
    { status, headers },
  );
}

/**
 * The answer to a request to listen to a session or to end one. Source: Model Context Protocol,
 * streamable HTTP.
 */
export function refuseSession(): Response {
  return json(
    {
      jsonrpc: "2.0",
      error: { code: -32000, message: "Method not allowed: this server has no sessions." },
      id: null,
    },
    405,
    { allow: "POST" },
  );
}
