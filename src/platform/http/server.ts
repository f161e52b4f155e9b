import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { serve } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { App } from "./app.ts";
import type { Entrance } from "./listener-access.ts";
import { writeResponse } from "./write-response.ts";

interface ListenOptions {
  port: number;
  host: string;
  door: Entrance["door"];
  /** Believe `X-Forwarded-For`: its last entry is the client as the operator's own proxy saw it. */
  trustProxy?: boolean;
}

export interface Listener extends AsyncDisposable {
  port: number;
  host: string;
}

/** How long headers may take; bodies have clocks of their own where they are read. Source: security row 40. */
const HEADERS_TIMEOUT = 8_000;
/** What has no business with a body has this long to end one. */
const UNREAD_BODY_TIMEOUT = 8_000;

/** What to do about an address that cannot be listened on. */
const UNUSABLE: Record<string, string> = {
  EADDRINUSE: "it is in use. Stop what uses it, or set another port.",
  EADDRNOTAVAIL:
    "this machine has no such address. Set HOST to one that it has, or to 0.0.0.0 for all.",
  ENOTFOUND: "there is no host of this name. Set HOST to an address of this machine.",
  EAI_AGAIN: "the name of the host cannot be looked up. Set HOST to an address of this machine.",
  EACCES: "it may not be opened. Set a port above 1023.",
};

/** Opens a socket for the app. @throws Error with a sentence that names the port when it is taken. */
export async function listen(
  app: Pick<App, "fetch">,
  { port, host, door, trustProxy = false }: ListenOptions,
): Promise<Listener> {
  const fetch = async (
    request: Request,
    { incoming, outgoing }: { incoming: IncomingMessage; outgoing: ServerResponse },
  ) => {
    const peer =
      (trustProxy && request.headers.get("x-forwarded-for")?.split(",").at(-1)?.trim()) ||
      (incoming.socket.remoteAddress ?? "");
    if (!incoming.complete && ["GET", "HEAD"].includes(incoming.method ?? "")) endUnread(incoming);
    const response = await app.fetch(request, { door, peer, httpVersion: incoming.httpVersion });
    return (await writeResponse(response, outgoing)) ? RESPONSE_ALREADY_SENT : response;
  };
  const server = await new Promise<Server>((resolve, reject) => {
    const starting = serve(
      {
        fetch: fetch as (request: Request) => Promise<Response>, // node-server hands its bindings as the second argument
        port,
        hostname: host,
        // our streams extend the Response of the platform, and the global one must stay that
        overrideGlobalObjects: false,
        serverOptions: {
          headersTimeout: HEADERS_TIMEOUT,
          // an upload takes as long as its bytes come
          requestTimeout: 0,
          connectionsCheckingInterval: 1_000,
          maxHeaderSize: 32 * 1024,
        },
      },
      () => resolve(starting as Server), // plain HTTP, so a plain server
    );
    starting.once("error", (error: NodeJS.ErrnoException) => {
      const why = UNUSABLE[error.code ?? ""];
      reject(
        why === undefined ? error : new Error(`Port ${port} on ${host}: ${why}`, { cause: error }),
      );
    });
  });
  const address = server.address();
  const bound = typeof address === "object" && address !== null ? address.port : port;
  return {
    port: bound,
    host,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      const sweep = setInterval(() => server.closeIdleConnections(), 100);
      const force = setTimeout(() => server.closeAllConnections(), 2_000);
      await closed;
      clearInterval(sweep);
      clearTimeout(force);
    },
  };
}

/** Lets a body go that nobody reads, and ends the connection of one that does not end. */
function endUnread(incoming: IncomingMessage): void {
  const timer = setTimeout(() => incoming.socket.destroy(), UNREAD_BODY_TIMEOUT).unref();
  incoming.once("close", () => clearTimeout(timer));
  incoming.once("end", () => clearTimeout(timer));
  incoming.resume();
}
