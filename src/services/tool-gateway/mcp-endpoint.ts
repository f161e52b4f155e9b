import {
  createMcpHandler,
  isInitializeRequest,
  type McpHttpHandler,
  type McpRequestContext,
} from "@modelcontextprotocol/server";
import { Forbidden } from "../../platform/http/errors.ts";
import { isRecord } from "../../platform/json/is-record.ts";
import { readJsonText } from "../../platform/http/read-body.ts";
import { json } from "../../platform/http/respond.ts";
import { StreamResponse } from "../../platform/http/stream.ts";
import { responseIn } from "./client-answers.ts";
import type { McpRequest, McpServerDeps } from "./mcp-request.ts";
import { createMcpServer } from "./mcp-server.ts";
import { openMcpStream } from "./mcp-stream.ts";
import { answerQuickly } from "./quick-call.ts";
import { newSessionId, sessionIdOf } from "./mcp-session.ts";
import { listenedTasks, openTaskStream } from "./task-stream.ts";
import { isIP } from "node:net";

const MAX_BODY_BYTES = 4 * 1024 * 1024;

interface Deps extends McpServerDeps {
  /** Whose pages may ask: its own, and those that the operator names. */
  origins: readonly string[];
  /** Host names of this server, beside addresses and names without a dot. */
  hosts: readonly string[];
}

/** The gateway as an MCP server. */
export interface McpEndpoint extends AsyncDisposable {
  answer(mcp: McpRequest): Promise<Response>;
  /** The stream of a session of the older era. */
  listen(mcp: McpRequest): Response;
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
    (context) => createMcpServer(deps, requestOf(requests, context), context.era),
    { maxSubscriptions: MAX_SUBSCRIPTIONS },
  );
  deps.gateway.onToolsChanged(() => handler.notify.toolsChanged());
  return {
    answer: (mcp) => answerMcp(deps, handler, requests, mcp),
    listen(mcp) {
      checkOrigin(deps, mcp.request);
      if (sessionIdOf(mcp.request) !== "") return openMcpStream(deps, mcp);
      return refuseSession("send the Mcp-Session-Id that initialize answered with.");
    },
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
  const session = sessionIdOf(request);
  if (requestId !== undefined)
    await deps.cancellations.cancel({ caller, session, requestId });
  const response = responseIn(body);
  if (response) {
    const { requestId: asked, answer } = response;
    await deps.answers.answer({ caller, session, requestId: asked }, answer);
    return new Response(null, { status: 202 });
  }
  const quick = await answerQuickly(deps, mcp, body);
  if (quick) return "message" in quick ? json(quick.message) : quick.stream;
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
  const listening = answer.ok && listenedTasks(body);
  if (listening) {
    // the SDK has checked the request, and knows no tasks
    leaving.abort();
    return openTaskStream(deps, mcp, listening);
  }
  const stream = toStreamResponse(answer, () => leaving.abort());
  if (isInitializeRequest(body))
    stream.headers.set("mcp-session-id", newSessionId(body.params.capabilities));
  return stream;
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

/**
 * Whether a request names this server as its host. This stops DNS rebinding: a page elsewhere that
 * points its own name to our address sends that name, and cannot make a browser send an address or
 * a name without a dot. Source: Model Context Protocol, transports.
 */
function isOwnHost(url: string, ownHosts: readonly string[]): boolean {
  const { hostname } = new URL(url);
  const name = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (isIP(name) > 0 || !name.includes(".")) return true;
  return name.endsWith(".localhost") || ownHosts.includes(name);
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
 * The answer to a request to listen without a session, or to end one. Source: Model Context
 * Protocol, streamable HTTP.
 */
export function refuseSession(reason: string): Response {
  return json(
    {
      jsonrpc: "2.0",
      error: { code: -32000, message: `Method not allowed: ${reason}` },
      id: null,
    },
    405,
    { allow: "POST" },
  );
}
