import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { readAllowed } from "../../src/platform/outgoing/addresses.ts";
import { createAddressJudge } from "../../src/platform/outgoing/judge-address.ts";
import type { createGuard } from "../../src/server/guard.ts";
import {
  isTitle,
  type ScriptedProvider,
  startScriptedProvider,
} from "../support/scripted-provider.ts";
import { eventsOf, startTestServer, type TestServer } from "../support/server.ts";
import { startToolServer, text, type ToolServer } from "../support/tool-server.ts";

/**
 * What roles forbid on every way in, what a person decides about tools, and what private addresses
 * stay closed: with the defence, and with it switched off.
 */
const guard = vi.hoisted(() => ({ isOff: false }));
vi.mock("../../src/server/guard.ts", async (original) => {
  const actual = await original<{ createGuard: typeof createGuard }>();
  const create: typeof createGuard = (deps) => {
    const { check, allows, listFor } = actual.createGuard(deps);
    return {
      check: async (...asked) => (guard.isOff ? undefined : check(...asked)),
      allows: async (...asked) => guard.isOff || allows(...asked),
      listFor,
    };
  };
  return { ...actual, createGuard: create };
});
beforeEach(() => {
  guard.isOff = false;
});

const EMAIL = "nobody@test.example";
const PASSWORD = "a long enough password";

let provider: ScriptedProvider;
let tools: ToolServer;
let parlance: TestServer;
let token: string;
let key: string;
beforeAll(async () => {
  provider = await startScriptedProvider();
  tools = await startToolServer({ wipe: { annotations: null, run: () => text("wiped") } });
  parlance = await startTestServer({
    OPENAI_API_KEY: "key",
    OPENAI_BASE_URL: provider.url,
    OPENAI_MODELS: "gpt-test",
    MCP_SERVERS: JSON.stringify([{ name: "town", url: tools.url }]),
  });
  const role = { name: "nothing", permissions: [] };
  await parlance.request("/api/v1/roles", { body: role });
  const user = { email: EMAIL, name: "Nobody", password: PASSWORD, roles: ["nothing"] };
  await parlance.request("/api/v1/users", { body: user });
  token = await parlance.signIn(EMAIL, PASSWORD);
  guard.isOff = true;
  const made = await parlance.request("/api/v1/auth/api-keys", {
    token,
    body: { name: "k" },
  });
  key = ((await made.json()) as { key: string }).key;
  await vi.waitFor(async () => {
    const listed = await parlance.request("/mcp/v1/tools");
    expect(await listed.json()).toMatchObject({ total: 1 });
  }, 90_000);
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await tools[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

describe("roles", () => {
  /** The statuses of a person without permissions, on each way in. */
  async function everyWay(): Promise<number[]> {
    const byKey = { token: null, headers: { "x-api-key": key } };
    const accept = "application/json, text/event-stream";
    const mcp = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
    const messages = [{ role: "user", content: "hello" }];
    const answers = [
      await parlance.request("/api/v1/agent?limit=1", { token }),
      await parlance.request("/api/v1/agent?limit=1", byKey),
      await parlance.request("/v1/chat/completions", {
        ...byKey,
        body: { model: "openai/gpt-test", messages },
      }),
      await parlance.request("/mcp", {
        token: null,
        headers: { ...byKey.headers, accept },
        body: mcp,
      }),
    ];
    await Promise.all(answers.map((answer) => answer.body?.cancel()));
    return answers.map(({ status }) => status);
  }

  test("forbid on every way in", async () => {
    expect(await everyWay()).toEqual([403, 403, 403, 403]);
  });

  test("off: without the guard every way is open", async () => {
    guard.isOff = true;
    expect(await everyWay()).toEqual([200, 200, 200, 200]);
  });
});

describe("a tool without annotations", () => {
  /** @returns the last event of a reply that calls the tool. */
  async function callTool(): Promise<unknown> {
    tools.calls.length = 0;
    provider.answer((_, body) => {
      if (isTitle(body)) return { text: ["t"] };
      if (body.messages.at(-1)?.role === "tool") return { text: ["done"] };
      return { toolCalls: [{ id: crypto.randomUUID(), name: "wipe", arguments: {} }] };
    });
    const body = { content: "go", tools: ["wipe"] };
    const events = await eventsOf(await parlance.request("/api/v1/conversation", { body }));
    return events.at(-1)?.data["finishReason"];
  }

  test("waits for a person", async () => {
    expect(await callTool()).toBe("approval");
    expect(tools.calls).toEqual([]);
  });

  test("off: counted as harmless, it runs at once", async () => {
    const path = "/mcp/v1/tools/town/wipe";
    const classify = { method: "PUT", body: { effect: "additive" } };
    expect((await parlance.request(path, classify)).status).toBe(200);
    // lists of tools are read again after a moment
    await vi.waitFor(async () => expect(await callTool()).toBe("stop"), 90_000);
    expect(tools.calls).toEqual(["wipe"]);
  });
});

describe("metadata addresses among the private ones", () => {
  const judge = createAddressJudge(readAllowed(["private"]), () => []);
  const permits = (address: string) =>
    judge.permits({ hostname: address, port: 80 }, address);

  test.each([
    ["100.100.100.200", "100.100.100.201"],
    ["fd00:ec2::254", "fd00:ec2::253"],
    ["fd00:ec2::23", "fd00:ec2::24"],
    ["fd20:ce::254", "fd20:ce::253"],
    ["fd00:42::42", "fd00:42::43"],
  ])("%s is not called; off: the unlisted address %s is", (listed, neighbour) => {
    expect(permits(listed)).toBe(false);
    expect(permits(neighbour)).toBe(true);
  });
});
