import { setTimeout as sleep } from "node:timers/promises";
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

/**
 * The gateway as a client, for @modelcontextprotocol/conformance: uses everything that the server
 * at the address offers, and signs its user in wherever the gateway asks for that. The suite's
 * context may name calls to make, and a client that was registered by hand.
 */

const url = process.argv.at(-1) ?? "";
const named = process.env["MCP_CONFORMANCE_CONTEXT"];
const context = JSON.parse(named ?? "{}") as {
  toolCalls?: { name: string; arguments: Record<string, unknown> }[];
  client_id?: string;
  client_secret?: string;
  issuer?: string;
};
/** Somebody who is asked to sign in again and again stops at some time. */
const MAX_SIGN_INS = 10;
const userId = "ada";
const guard = { allow: ["127.0.0.0/8", "::1/128", "localhost"], own: () => [] };
const outgoing = openOutgoing(guard);
const oauth = context.client_id && {
  clientId: context.client_id,
  clientSecret: context.client_secret,
  issuer: context.issuer,
};
const server = ToolServer.parse({ name: "conformance", url, ...(oauth && { oauth }) });
const publicUrl = "https://parlance.example";
const store = memorySignIns();
const own = {
  publicUrl,
  at: () => ({
    // the suite wants this one
    metadataUrl: "https://conformance-test.local/client-metadata.json",
    redirectUri: "http://127.0.0.1:9/connections/callback",
  }),
};
const reach = () => openOutgoing(guard);
const session = openSession({
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
  signal: AbortSignal.timeout(80_000),
  questions: {
    capabilities: { elicitation: { applyDefaults: true } },
    ask: async ({ params }: Ask) => ({
      result: { action: "accept", content: untouched(params["requestedSchema"]) },
    }),
  },
};

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

let signIns = 0;
async function signIn(): Promise<void> {
  signIns += 1;
  if (signIns > MAX_SIGN_INS) throw new Error("signed in too often");
  const deps = { store, reach, own };
  const { challenge } = session.signIn;
  const beginning = { server, userId, lists: true, challenge };
  const address = await beginSignIn(deps, beginning, options.signal);
  await completeSignIn(
    deps,
    { userId, mayList: true },
    await agree(address),
    options.signal,
  );
  await session.refresh().catch(() => {}); // its state says why
}

/** Signs in where that is asked for, and does the same again. */
async function signedIn<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "tool_sign_in_needed") throw error;
      await signIn();
    }
  }
}

// on a busy machine the first attempt may come too early; the next one follows by itself
while (session.tools === undefined) {
  if (session.state === "signed-out") await signIn();
  else if (signIns > 0 && session.state === "down") throw session.failure;
  else await sleep(100);
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
await session[Symbol.asyncDispose]();
await outgoing[Symbol.asyncDispose]();
