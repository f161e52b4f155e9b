import type { IncomingMessage, ServerResponse } from "node:http";
import type { FakeLangflow } from "./start-fake-langflow.ts";
import type { FakeUser } from "./state.ts";

/** What the answers depend on. */
export type Langflow = Pick<FakeLangflow, "state" | "counts" | "settings" | "runs">;

export interface Ask {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
  body: Buffer;
  response: ServerResponse;
}

/** A request, and the ways in which it is answered. */
export interface Exchange extends Ask {
  langflow: Langflow;
  key: string | undefined;
  send(status: number, content: unknown, headers?: Record<string, string>): void;
  fail(status: number, detail: unknown): void;
  /** The body, where the client sends JSON. */
  json(): Record<string, unknown>;
  /** `undefined`: refused, and answered. */
  user(): FakeUser | undefined;
  superuser(): FakeUser | undefined;
  /** Changes the state, before or after the answer as the settings say. */
  change(work: () => void): void;
}

/** What answers a method and a path, with the groups of its pattern. */
export type Route = [
  pattern: RegExp,
  answer: (exchange: Exchange, ...groups: string[]) => void | Promise<void>,
];

export function openExchange(langflow: Langflow, ask: Ask): Exchange {
  const { headers, body, response } = ask;
  const { state, settings } = langflow;
  const key = typeof headers["x-api-key"] === "string" ? headers["x-api-key"] : undefined;
  const token = /^Bearer (.*)$/.exec(headers.authorization ?? "")?.[1];
  const send: Exchange["send"] = (status, content, more = {}) => {
    response
      .writeHead(status, { "content-type": "application/json", ...more })
      .end(JSON.stringify(content));
  };
  const fail: Exchange["fail"] = (status, detail) => send(status, { detail });
  const findUser = () => {
    if (token !== undefined) return state.userOfToken(token, "access");
    return key === undefined ? undefined : state.userOfKey(key);
  };
  const user = () => {
    const found = findUser();
    if (found?.isActive) return found;
    if (token !== undefined) fail(401, "Invalid token");
    else if (key === undefined) fail(403, "No authentication credentials provided");
    else fail(403, found ? "API key authentication failed" : "Invalid API key");
    return undefined;
  };
  return {
    ...ask,
    langflow,
    key,
    send,
    fail,
    json: () => JSON.parse(body.toString()) as Record<string, unknown>, // the client's JSON
    user,
    superuser() {
      const found = user();
      if (found && !found.isSuperuser) fail(403, "The user doesn't have enough privileges");
      return found?.isSuperuser ? found : undefined;
    },
    change(work) {
      if (settings.lateMs > 0) setTimeout(work, settings.lateMs);
      else work();
    },
  };
}
