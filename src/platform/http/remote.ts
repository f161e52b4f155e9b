import { Readable } from "node:stream";
import { Agent } from "undici";
import type { Fetch } from "./call.ts";

/**
 * Keeps connections to other services open. Their addresses come from the operator, so any is
 * allowed.
 */
export interface Remotes extends AsyncDisposable {
  /** Returns a `Fetch` to the service at a base URL, with headers added to each request. */
  to(baseUrl: string, headers: Record<string, string>): Fetch;
}

export function createRemotes(): Remotes {
  const agent = new Agent({
    connections: 128,
    pipelining: 1,
    keepAliveTimeout: 30_000,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: 5_000 },
  });
  return {
    to(baseUrl, headers) {
      const base = new URL(baseUrl);
      const prefix = base.pathname.replace(/\/$/, "");
      return async (request) => {
        const { pathname, search } = new URL(request.url);
        const answer = await agent.request({
          origin: base.origin,
          path: prefix + pathname + search,
          // Request normalizes methods to those that undici's type names
          method: request.method as "GET",
          headers: { ...Object.fromEntries(request.headers), ...headers },
          body: request.body === null ? null : Buffer.from(await request.arrayBuffer()),
          signal: request.signal,
        });
        const empty = answer.statusCode === 204 || answer.statusCode === 304;
        if (empty) answer.body.resume();
        return new Response(
          empty ? null : (Readable.toWeb(answer.body) as ReadableStream<Uint8Array>),
          {
            status: answer.statusCode,
            headers: headerPairs(answer.headers),
          },
        );
      };
    },
    async [Symbol.asyncDispose]() {
      await agent.destroy();
    },
  };
}

function headerPairs(
  headers: Record<string, string | string[] | undefined>,
): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value ?? ""]).map((one): [string, string] => [
      name,
      one,
    ]),
  );
}
