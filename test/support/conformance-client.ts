import { setTimeout as sleep } from "node:timers/promises";
import { openOutgoing } from "../../src/platform/outgoing/open-outgoing.ts";
import { silentLog } from "../../src/platform/telemetry/log.ts";
import { ToolServer } from "../../src/services/tool-gateway/contract.ts";
import { openSession } from "../../src/services/tool-gateway/session.ts";

/**
 * The gateway as a client, for @modelcontextprotocol/conformance: uses everything that the server
 * at the address offers. The suite's context may name calls to make.
 */

const url = process.argv.at(-1) ?? "";
const named = process.env["MCP_CONFORMANCE_CONTEXT"];
const { toolCalls } = JSON.parse(named ?? "{}") as {
  toolCalls?: { name: string; arguments: Record<string, unknown> }[];
};
const outgoing = openOutgoing({
  allow: ["127.0.0.0/8", "::1/128", "localhost"],
  own: () => [],
});
const session = openSession({
  server: ToolServer.parse({ name: "conformance", url }),
  outgoing,
  log: silentLog(),
  callTimeoutMs: 20_000,
  idleMs: 60_000,
  concurrency: 10,
  changed() {},
});
// on a busy machine the first attempt may come too early; the next one follows by itself
while (session.tools === undefined) await sleep(100);
const options = {
  userId: "ada",
  signal: AbortSignal.timeout(80_000),
  questions: {
    capabilities: { elicitation: {} },
    ask: async () => ({ result: { action: "accept", content: { confirmed: true } } }),
  },
};
const tools = (session.tools ?? []).map(({ name }) => ({
  name,
  arguments: { a: 1, b: 2, region: "eu" },
}));
for (const { name, arguments: args } of toolCalls ?? tools)
  await session.call(name, args, options);
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
