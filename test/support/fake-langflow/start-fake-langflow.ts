import { randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { streamRun, type RunBody } from "./run.ts";
import { type FakeFlow, FakeState, type FakeUser, toUser } from "./state.ts";

export const LANGFLOW_ADMIN_KEY = "the-superuser-key-of-the-fake-langflow";

export interface FakeLangflow extends AsyncDisposable {
  url: string;
  state: FakeState;
  /** The number of successful requests by route. */
  counts: {
    users: number;
    logins: number;
    refreshes: number;
    keys: number;
    runs: number;
    runsLeft: number;
  };
  settings: {
    version: string;
    package: string;
    autoLogin: boolean;
    /** The number of sign-ins before it answers 429. */
    loginsAllowed: number;
    /** The seconds in its 429. */
    retryAfter: number;
    /**
     * The delay in ms after which a change takes effect: it answers before its transaction ends.
     */
    lateMs: number;
    /** The delay before each answer, in ms. */
    delayMs: number;
    /** The status of every answer, if set. */
    failing: number | undefined;
  };
  /** The bodies of run requests. */
  runs: RunBody[];
  /** Of every request, in order. */
  headers: IncomingMessage["headers"][];
  stop(): Promise<void>;
  start(): Promise<void>;
}

interface Ask {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
  body: Buffer;
  response: ServerResponse;
}

/**
 * Langflow's HTTP API as observed on a server at 1.10.3, with its pitfalls: 403 for a wrong key,
 * refresh by cookie, JSON lines named server-sent events, a list that is always gzip, names made
 * unique, and keys that still work for an inactive user's runs.
 */
export async function startFakeLangflow(): Promise<FakeLangflow> {
  const state = new FakeState(LANGFLOW_ADMIN_KEY);
  const counts = { users: 0, logins: 0, refreshes: 0, keys: 0, runs: 0, runsLeft: 0 };
  const settings: FakeLangflow["settings"] = {
    version: "0.10.3",
    package: "Langflow Base",
    autoLogin: false,
    loginsAllowed: Number.POSITIVE_INFINITY,
    retryAfter: 60,
    lateMs: 0,
    delayMs: 0,
    failing: undefined,
  };
  const runs: RunBody[] = [];
  const received: IncomingMessage["headers"][] = [];

  const answer = async (ask: Ask): Promise<void> => {
    const { method, path, query, headers, body, response } = ask;
    const send = (status: number, content: unknown, more: Record<string, string> = {}) =>
      response
        .writeHead(status, { "content-type": "application/json", ...more })
        .end(JSON.stringify(content));
    const fail = (status: number, detail: unknown, more: Record<string, string> = {}) =>
      send(status, { detail }, more);
    const json = () => JSON.parse(body.toString()) as Record<string, unknown>; // only where the client sends JSON
    if (settings.failing !== undefined)
      return void fail(settings.failing, "Internal Server Error");

    const key = typeof headers["x-api-key"] === "string" ? headers["x-api-key"] : undefined;
    const token = /^Bearer (.*)$/.exec(headers.authorization ?? "")?.[1];
    /** `undefined`: refused, and answered. */
    const user = (): FakeUser | undefined => {
      const found =
        token === undefined
          ? key === undefined
            ? undefined
            : state.userOfKey(key)
          : state.userOfToken(token, "access");
      if (found?.isActive) return found;
      if (token !== undefined) fail(401, "Invalid token");
      else if (key === undefined) fail(403, "No authentication credentials provided");
      else fail(403, found ? "API key authentication failed" : "Invalid API key");
      return undefined;
    };
    const superuser = (): FakeUser | undefined => {
      const found = user();
      if (found && !found.isSuperuser) fail(403, "The user doesn't have enough privileges");
      return found?.isSuperuser ? found : undefined;
    };
    const own = (who: FakeUser, id: string): FakeFlow | undefined =>
      state.flows.find((flow) => flow.id === id && flow.userId === who.id);

    const later = (change: () => void) =>
      settings.lateMs > 0 ? void setTimeout(change, settings.lateMs) : change();
    const route = `${method} ${path}`;
    if (route === "GET /api/v1/version")
      return void send(200, {
        version: settings.version,
        main_version: settings.version,
        package: settings.package,
      });
    if (route === "GET /health_check")
      return void send(200, { status: "ok", chat: "ok", db: "ok" });
    if (route === "GET /api/v1/auto_login") {
      const [admin] = state.users;
      return void (settings.autoLogin && admin
        ? send(200, state.tokensFor(admin))
        : fail(403, { message: "Auto login is disabled.", auto_login: false }));
    }
    if (route === "POST /api/v1/users/") {
      if (key === undefined || !state.userOfKey(key)?.isSuperuser)
        return void fail(403, "Public user registration is disabled.");
      const { username, password } = json() as { username: string; password: string };
      if (state.users.some((one) => one.username === username))
        return void fail(400, "This username is unavailable.");
      counts.users += 1;
      return void send(201, toUser(state.addUser(username, password)));
    }
    if (route === "GET /api/v1/users/") {
      if (!superuser()) return;
      const found = state.users.filter(({ username }) =>
        username.toLowerCase().includes((query.get("search") ?? "").toLowerCase()),
      );
      return void send(200, {
        total_count: found.length,
        users: found.slice(0, Number(query.get("limit") ?? 10)).map(toUser),
      });
    }
    const userId = /^\/api\/v1\/users\/([0-9a-f-]{36})$/.exec(path)?.[1];
    if (userId !== undefined) {
      if (!superuser()) return;
      const found = state.users.find(({ id }) => id === userId);
      if (!found) return void fail(404, "User not found");
      if (method === "DELETE") {
        state.users = state.users.filter((one) => one !== found);
        state.keys = state.keys.filter((one) => one.userId !== userId);
        state.flows = state.flows.filter((one) => one.userId !== userId);
        return void fail(200, "User deleted");
      }
      const change = json() as { is_active?: boolean; password?: string };
      const changed = {
        ...found,
        isActive: change.is_active ?? found.isActive,
        password: change.password ?? found.password,
      };
      later(() => Object.assign(found, changed));
      return void send(200, toUser(changed));
    }
    if (route === "POST /api/v1/login") {
      if (!headers["content-type"]?.startsWith("application/x-www-form-urlencoded"))
        return void fail(422, [
          { loc: ["body", "username"], msg: "Field required", type: "missing" },
        ]);
      if (counts.logins >= settings.loginsAllowed)
        return void send(
          429,
          {
            detail: "Too many requests. Please try again later.",
            retry_after: String(settings.retryAfter),
          },
          { "retry-after": String(settings.retryAfter) },
        );
      const form = new URLSearchParams(body.toString());
      const found = state.users.find(({ username }) => username === form.get("username"));
      if (!found || found.password !== form.get("password"))
        return void fail(401, "Incorrect username or password");
      if (!found.isActive)
        return void (found.signedIn
          ? fail(401, "Inactive user")
          : fail(400, "Waiting for approval"));
      found.signedIn = true;
      counts.logins += 1;
      const tokens = state.tokensFor(found);
      return void send(200, tokens, {
        "set-cookie": `refresh_token_lf=${tokens.refresh_token}; HttpOnly; Secure; SameSite=None`,
      });
    }
    if (route === "POST /api/v1/refresh") {
      const found = state.userOfToken(
        /refresh_token_lf=([^;]+)/.exec(headers.cookie ?? "")?.[1] ?? "",
        "refresh",
      );
      if (!found) return void fail(401, "Invalid refresh token");
      if (!found.isActive) return void fail(401, "User account is inactive");
      counts.refreshes += 1;
      return void send(200, state.tokensFor(found));
    }
    if (route === "POST /api/v1/api_key/") {
      const who = user();
      if (!who) return;
      counts.keys += 1;
      const { id, name, key: made } = state.newKey(who.id, String(json()["name"]));
      later(() => state.keys.push({ id, userId: who.id, name, key: made }));
      return void send(200, {
        name,
        last_used_at: null,
        total_uses: 0,
        is_active: true,
        expires_at: null,
        id,
        api_key: made,
        user_id: who.id,
      });
    }
    if (path === "/api/v1/flows/") {
      const who = user();
      if (!who) return;
      if (method === "GET") {
        const heads = state.flows
          .filter((flow) => flow.userId === who.id)
          .map((flow) => ({ ...toFlow(flow), data: null, updated_at: undefined }));
        response.writeHead(200, {
          "content-type": "application/json",
          "content-encoding": "gzip",
        });
        return void response.end(gzipSync(JSON.stringify(heads)));
      }
      const given = json() as {
        name?: string;
        description?: string;
        data?: FakeFlow["data"];
        access_type?: string;
      };
      if (!given.name)
        return void fail(422, [
          { loc: ["body", "name"], msg: "Field required", type: "missing" },
        ]);
      const taken = (name: string) =>
        state.flows.some((flow) => flow.userId === who.id && flow.name === name);
      let name = given.name;
      for (let n = 1; taken(name); n += 1) name = `${given.name} (${n})`;
      const flow: FakeFlow = {
        id: randomUUID(),
        userId: who.id,
        name,
        description: given.description ?? "",
        data: given.data ?? { nodes: [] },
        accessType: given.access_type ?? "PRIVATE",
        updatedAt: new Date().toISOString(),
      };
      later(() => state.flows.push(flow));
      return void send(201, toFlow(flow));
    }
    if (route === "GET /api/v1/users/whoami") {
      const who = user();
      return who ? void send(200, toUser(who)) : undefined;
    }
    const flowId = /^\/api\/v1\/flows\/([^/]+)$/.exec(path)?.[1];
    if (flowId !== undefined && method === "GET") {
      const who = user();
      if (!who) return;
      const flow = own(who, flowId);
      return void (flow ? send(200, toFlow(flow)) : fail(404, "Flow not found"));
    }
    const uploadTo = /^\/api\/v1\/files\/upload\/([^/]+)$/.exec(path)?.[1];
    if (uploadTo !== undefined) {
      const who = user();
      if (!who) return;
      if (!own(who, uploadTo)) return void fail(404, "Flow not found");
      const { name, content } = fileOf(body);
      const file = `${uploadTo}/2026-01-01_00-00-00_${name}`;
      state.files.set(file, content);
      return void send(201, { flowId: uploadTo, file_path: file });
    }
    const [, ofFlow, fileName] =
      /^\/api\/v1\/files\/delete\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
    if (ofFlow !== undefined && method === "DELETE") {
      if (!user()) return;
      state.files.delete(`${ofFlow}/${decodeURIComponent(fileName ?? "")}`);
      return void send(200, { message: `File ${fileName} deleted successfully` });
    }
    const runId = /^\/api\/v1\/run\/([^/]+)$/.exec(path)?.[1];
    if (runId !== undefined) {
      if (key === undefined)
        return void fail(403, "An API key must be passed as query or header");
      // it does not check whether the user is active
      const who = state.userOfKey(key);
      if (!who) return void fail(403, "Invalid or missing API key");
      const flow = own(who, runId);
      if (!flow) return void fail(404, `Flow identifier ${runId} not found`);
      const run = json() as RunBody;
      runs.push(run);
      counts.runs += 1;
      if ((await streamRun(flow, run, response)) === "left") counts.runsLeft += 1;
      return;
    }
    fail(404, "Not Found");
  };

  let server: Server;
  let port = 0;
  const start = async () => {
    server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      received.push(request.headers);
      try {
        for await (const chunk of request) chunks.push(chunk as Buffer);
        if (settings.delayMs > 0)
          await new Promise((resolve) => setTimeout(resolve, settings.delayMs));
        const url = new URL(request.url ?? "/", "http://langflow");
        await answer({
          method: request.method ?? "GET",
          path: url.pathname,
          query: url.searchParams,
          headers: request.headers,
          body: Buffer.concat(chunks),
          response,
        });
      } catch {
        response.destroy();
      }
    });
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    port = (server.address() as AddressInfo).port;
  };
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  await start();
  return {
    url: `http://127.0.0.1:${port}`,
    headers: received,
    state,
    counts,
    settings,
    runs,
    start,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function toFlow({
  id,
  userId,
  name,
  description,
  data,
  accessType,
  updatedAt,
}: FakeFlow): object {
  return {
    id,
    user_id: userId,
    name,
    description,
    data,
    is_component: false,
    updated_at: updatedAt,
    endpoint_name: null,
    access_type: accessType,
    folder_id: null,
    tags: null,
    mcp_enabled: false,
    action_name: null,
    action_description: null,
  };
}

function fileOf(body: Buffer): { name: string; content: string } {
  const [head = "", ...rest] = body.toString("latin1").split("\r\n\r\n");
  const content = rest.join("\r\n\r\n");
  return {
    name: /filename="([^"]*)"/.exec(head)?.[1] ?? "",
    content: content.slice(0, content.lastIndexOf("\r\n--")),
  };
}
