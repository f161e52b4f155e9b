import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { getRequestListener } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { oneAnswerAtATime } from "./answer-line.ts";
import { answerFailedRequest, answerUnreadable } from "./answer-unreadable.ts";
import type { App } from "./app.ts";
import { clientAddressBehind, type TrustedProxies } from "./client-address.ts";
import type { Connection } from "./context.ts";
import { crossOrigin } from "./cross-origin.ts";
import { ApiError, BadRequest, Unavailable } from "./errors.ts";
import { ownNames, refuseBrowser } from "./own-host.ts";
import { addStandardHeaders, errorResponse } from "./respond.ts";
import { traceOf } from "./trace.ts";
import { writeResponse } from "./write-response.ts";

interface ListenOptions {
  port: number;
  host: string;
  listener: Connection["listener"];
  /** Whether routes between services are answered without a credential, but for browsers. */
  openServiceRoutes?: boolean;
  /** Whether metrics and the details of health are answered without a credential. */
  isLocal?: boolean;
  /** The setting that chooses the port, for the message when the port is taken. */
  setting?: string;
  /** The proxies whose `X-Forwarded-For` counts. Default: none. */
  trustedProxies?: TrustedProxies | undefined;
  /** Other sites whose scripts may call it. Default: none. */
  allowedOrigins?: readonly string[] | undefined;
  /** The maximum number of requests in progress; more are refused. Default: no limit. */
  maxPendingRequests?: number;
}

export interface Listener extends AsyncDisposable {
  port: number;
  host: string;
}

/** The time limit for headers. Bodies have time limits where they are read. */
const HEADERS_TIMEOUT_MS = 8_000;
/** The time limit for a body that no handler reads. */
const UNREAD_BODY_TIMEOUT_MS = 8_000;

/** What to do when an address cannot be used, by the code of the error. */
const UNUSABLE: Record<string, string> = {
  EADDRINUSE: "it is in use. Stop what uses it, or set another port.",
  EADDRNOTAVAIL:
    "this machine has no such address. Set HOST to one that it has, or to 0.0.0.0 for all.",
  ENOTFOUND: "there is no host of this name. Set HOST to an address of this machine.",
  EAI_AGAIN:
    "the name of the host cannot be looked up. Set HOST to an address of this machine.",
  EACCES: "it may not be opened. Set a port above 1023.",
};

/**
 * Opens a socket for the app.
 * @throws Error with a sentence that names the port when it is taken.
 */
export async function listen(
  app: Pick<App, "fetch">,
  options: ListenOptions,
): Promise<Listener> {
  const { host } = options;
  const server = await openServer(createFetch(app, options), options);
  const address = server.address();
  const isBound = typeof address === "object" && address !== null;
  return {
    port: isBound ? address.port : options.port,
    host,
    [Symbol.asyncDispose]: () => close(server),
  };
}

type ServerFetch = (
  request: Request,
  bindings: { incoming: IncomingMessage; outgoing: ServerResponse },
) => Promise<Response>;

/** Answers a request by the app, unless its connection or the load forbids it. */
function createFetch(app: Pick<App, "fetch">, options: ListenOptions): ServerFetch {
  const { listener, isLocal = false } = options;
  const clientAddress = clientAddressBehind(options.trustedProxies);
  const judge = connectionJudge(options);
  const load = createLoadLimit(options.maxPendingRequests ?? Infinity);
  const others = crossOrigin(options.allowedOrigins ?? []);
  return async (request, { incoming, outgoing }) => {
    const peer = clientAddress(
      incoming.socket.remoteAddress ?? "",
      request.headers.get("x-forwarded-for"),
    );
    if (!incoming.complete && ["GET", "HEAD"].includes(incoming.method ?? ""))
      endUnread(incoming);
    const { refusal, trusted } = judge(incoming);
    const answer = async () => {
      if (refusal) return refuse(request, refusal);
      const preflight = others.preflight(request);
      if (preflight) return addStandardHeaders(preflight, traceOf(request));
      if (load.refuses(request)) return refuse(request, serverBusy());
      const leave = load.enter(incoming);
      return app.fetch(request, { listener, peer, trusted, isLocal }).finally(leave);
    };
    const response = others.allow(request, await answer());
    return (await writeResponse(response, outgoing, request))
      ? RESPONSE_ALREADY_SENT
      : response;
  };
}

function openServer(
  fetch: ServerFetch,
  { port, host, setting = "PORT" }: ListenOptions,
): Promise<Server> {
  const respond = getRequestListener(
    fetch as (request: Request) => Promise<Response>, // it hands its bindings as the second argument
    {
      hostname: host,
      // our streams extend the built-in Response, so it must stay the global one
      overrideGlobalObjects: false,
      errorHandler: answerFailedRequest,
    },
  );
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      // an upload takes as long as its bytes arrive
      requestTimeout: 0,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 32 * 1024, // as answer-unreadable.ts says
      requireHostHeader: false, // refused below, with a sentence
    },
    oneAnswerAtATime((incoming, outgoing) => void respond(incoming, outgoing)),
  );
  // what Node.js would answer with a bare 417
  server.on("checkExpectation", (incoming: IncomingMessage, outgoing) => {
    unmetExpectations.add(incoming);
    server.emit("request", incoming, outgoing);
  });
  answerUnreadable(server);
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why = UNUSABLE[error.code ?? ""];
      reject(
        why === undefined
          ? error
          : new Error(`${setting} ${port} on ${host}: ${why}`, { cause: error }),
      );
    });
    server.listen(port, host, () => resolve(server));
  });
}

/** Waits for the requests in progress, a short time. */
async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const sweep = setInterval(() => server.closeIdleConnections(), 100);
  const force = setTimeout(() => server.closeAllConnections(), 2_000);
  await closed;
  clearInterval(sweep);
  clearTimeout(force);
}

interface Judgement {
  refusal?: ApiError | undefined;
  trusted: boolean;
}

/** Decides which requests a listener refuses before routing, and which connections it trusts. */
function connectionJudge({ host, listener, openServiceRoutes = false }: ListenOptions) {
  const names = ownNames(host);
  return (incoming: IncomingMessage): Judgement => {
    const refusal = refuseHeaders(incoming);
    if (refusal) return { refusal, trusted: false };
    const stranger = refuseBrowser(incoming, names);
    if (listener === "internal") return { refusal: stranger, trusted: openServiceRoutes };
    return { trusted: openServiceRoutes && stranger === undefined };
  };
}

/** Requests with an `Expect` header that Node.js cannot meet (RFC 9110, 10.1.1). */
const unmetExpectations = new WeakSet<IncomingMessage>();

function refuseHeaders(incoming: IncomingMessage): ApiError | undefined {
  const { headers, httpVersion, rawHeaders } = incoming;
  if (hasSecondHost(rawHeaders))
    return new BadRequest("host_ambiguous", "Send one Host header.");
  if (httpVersion === "1.1" && headers.host === undefined)
    return new BadRequest(
      "host_missing",
      "Send a Host header with the name of this server.",
    );
  if (unmetExpectations.has(incoming))
    return new ApiError(
      417,
      "expectation_unmet",
      "This server meets no expectation but 100-continue. Send the request without Expect.",
    );
  return undefined;
}

/**
 * Node.js keeps the first Host header and drops the others, while a proxy in front may use another
 * (RFC 9112, 3.2).
 */
function hasSecondHost(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts > 1;
}

function refuse(request: Request, refusal: ApiError): Response {
  const trace = traceOf(request);
  const response = addStandardHeaders(errorResponse(refusal, trace.requestId), trace);
  response.headers.set("connection", "close");
  return response;
}

/** Discards a body that no handler reads, and closes the connection if the body does not end. */
function endUnread(incoming: IncomingMessage): void {
  const timer = setTimeout(() => incoming.socket.destroy(), UNREAD_BODY_TIMEOUT_MS).unref();
  incoming.once("close", () => clearTimeout(timer));
  incoming.once("end", () => clearTimeout(timer));
  incoming.resume();
}

/** Limits the requests that a listener processes at once, and thus the time that clients wait. */
interface LoadLimit {
  /** @returns whether a request must be refused now. */
  refuses(request: Request): boolean;
  /**
   * Counts a request from the end of its body, so that slow bodies do not block others.
   * @returns a function to call when the answer begins.
   */
  enter(incoming: IncomingMessage): () => void;
}

/** Probes are always answered: an orchestrator stops a process that does not answer them. */
const PROBES = new Set(["/healthz", "/readyz"]);
const RETRY_AFTER_MS = 1_000;

/** @param max Infinity for no limit. */
function createLoadLimit(max: number): LoadLimit {
  let pending = 0;
  return {
    refuses: ({ url }) => pending >= max && !PROBES.has(new URL(url).pathname),
    enter(incoming) {
      let hasLeft = false;
      let isCounted = false;
      const count = () => {
        if (hasLeft) return;
        isCounted = true;
        pending += 1;
      };
      if (incoming.complete || hasNoBody(incoming)) count();
      else incoming.once("end", count);
      return () => {
        hasLeft = true;
        if (isCounted) pending -= 1;
      };
    },
  };
}

function hasNoBody({ headers }: IncomingMessage): boolean {
  return (
    headers["content-length"] === undefined && headers["transfer-encoding"] === undefined
  );
}

function serverBusy(): Unavailable {
  return new Unavailable(
    "server_busy",
    "The server has as many requests as it can answer in time. Try again in a moment.",
    RETRY_AFTER_MS,
  );
}
