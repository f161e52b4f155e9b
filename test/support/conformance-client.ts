import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { ApiError } from "../../src/platform/http/errors.ts";
import { openOutgoing } from "../../src/platform/outgoing/open-outgoing.ts";
import { silentLog } from "../../src/platform/telemetry/log.ts";
import { ToolServer } from "../../src/services/tool-gateway/contract.ts";
import type { Ask } from "../../src/services/tool-gateway/questions.ts";
import { openSession } from "../../src/services/tool-gateway/session.ts";
import { ServerSignIn } from "../../src/services/tool-gateway/sign-in/credential.ts";
import {
  beginSignIn,
  completeSignIn,
} from "../../src/services/tool-gateway/sign-in/sign-in.ts";
import { agree, memorySignIns, OWN_LEASES } from "./memory-sign-ins.ts";

interface Context {
  toolCalls?: { name: string; arguments: Record<string, unknown> }[];
  client_id?: string;
  client_secret?: string;
  issuer?: string;
}

/** Somebody who is asked to sign in again and again stops at some time. */
const MAX_SIGN_INS = 10;
const LIMIT_MS = 80_000;
const userId = "ada";
const guard = { allow: ["127.0.0.0/8", "::1/128", "localhost"], own: () => [] };
const publicUrl = "https://parlance.example";
const own = {
  publicUrl,
  at: () => ({
    // the suite wants this one
    metadataUrl: "https://conformance-test.local/client-metadata.json",
    redirectUri: "http://127.0.0.1:9/connections/callback",
  }),
};

/**
 * The gateway as a client, for @modelcontextprotocol/conformance: uses everything that the server
 * at the address offers, and signs its user in wherever the gateway asks for that. The suite's
 * context may name calls to make, and a client that was registered by hand.
 * @throws Error when the server lets it use nothing, or something fails.
 */
export async function useServer(
  url: string,
  context: Context,
  ended: AbortSignal,
): Promise<void> {
  const signal = AbortSignal.any([ended, AbortSignal.timeout(LIMIT_MS)]);
  const oauth = context.client_id && {
    clientId: context.client_id,
    clientSecret: context.client_secret,
    issuer: context.issuer,
  };
  const server = ToolServer.parse({ name: "conformance", url, ...(oauth && { oauth }) });
  const store = memorySignIns();
  const reach = () => openOutgoing(guard);
  await using outgoing = openOutgoing(guard);
  await using session = openSession({
    server,
    signIn: new ServerSignIn(server, {
      store,
      reach,
      leases: OWN_LEASES,
      publicUrl,
      mayList: async () => true,
      values: { find: async () => undefined, findListing: async () => undefined },
      emailOf: async () => undefined,
    }),
    outgoing,
    log: silentLog(),
    callTimeoutMs: 20_000,
    idleMs: 60_000,
    concurrency: 10,
    changed() {},
  });
  const options = {
    userId,
    signal,
    questions: {
      capabilities: { elicitation: { applyDefaults: true } },
      ask: async ({ params }: Ask) => ({
        result: { action: "accept", content: untouched(params["requestedSchema"]) },
      }),
    },
  };

  let signIns = 0;
  async function signIn(): Promise<void> {
    signIns += 1;
    if (signIns > MAX_SIGN_INS) throw new Error("signed in too often");
    const deps = { store, reach, own };
    const { challenge } = session.signIn;
    const beginning = { server, userId, lists: true, challenge };
    const address = await beginSignIn(deps, beginning, signal);
    await completeSignIn(deps, { userId, mayList: true }, await agree(address), signal);
    await session.refresh().catch(() => {}); // its state says why
  }

  /** Signs in where that is asked for, and does the same again. */
  async function signedIn<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== "tool_sign_in_needed")
          throw error;
        await signIn();
      }
    }
  }

  // on a busy machine the first attempt may come too early; the next one follows by itself
  while (session.tools === undefined) {
    if (session.state === "signed-out") await signIn();
    else if (signIns > 0 && session.state === "down") throw session.failure;
    else await sleep(100, undefined, { signal });
  }
  const tools = (session.tools ?? []).map(({ name }) => ({
    name,
    arguments: { a: 1, b: 2, region: "eu" },
  }));
  for (const { name, arguments: args } of context.toolCalls ?? tools)
    await signedIn(() => session.call(name, args, options));
  for (const [list, field, read, key] of [
    ["resources/list", "resources", "resources/read", "uri"],
    ["prompts/list", "prompts", "prompts/get", "name"],
  ] as const) {
    if (!session.capabilities?.[field]) continue;
    const listed = (await session.ask({ method: list, params: {} }, options)) as Record<
      string,
      Record<string, unknown>[]
    >; // by the protocol
    for (const item of listed[field] ?? [])
      await session.ask({ method: read, params: { [key]: item[key] } }, options);
  }
}

/**
 * Lets a small program (`conformance-client.mjs`) ask for `useServer` in this process: each of the
 * suite's scenarios starts one, and half a second of processor would go to reading the gateway.
 */
export async function startConformanceClient(): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer(async (request, response) => {
    const left = new AbortController();
    response.once("close", () => left.abort());
    try {
      // what the program sends
      const asked = (await json(request)) as { url: string; context: Context };
      await useServer(asked.url, asked.context, left.signal);
      response.writeHead(200).end();
    } catch (error) {
      response.writeHead(500).end(inspect(error));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A form that its user sends without a change: what is given, and yes to what is asked. */
function untouched(schema: unknown): Record<string, unknown> {
  const { properties = {} } = (schema ?? {}) as {
    properties?: Record<string, { type?: string; default?: unknown }>;
  }; // by the protocol
  const fields = Object.entries(properties).flatMap(([name, field]) => {
    const value = field.default ?? (field.type === "boolean" ? true : undefined);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(fields) as Record<string, unknown>;
}
