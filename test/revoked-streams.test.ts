import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type TestServer, startTestServer } from "./support/server.ts";
import {
  type Script,
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { startToolServer, text, type ToolServer } from "./support/tool-server.ts";
import { held } from "./support/held.ts";
import { settingsOf } from "./support/scripted-server.ts";

/** Clients of /agent/run that disconnect: the work started for them ends, wherever it runs. */

const SECRET = "s".repeat(32);
/** The settings of services that run in separate processes. */
const APART = {
  ...Object.fromEntries(
    ["USER", "MCP", "COMPLETION"].map((name) => [`${name}_SERVICE_SECRET`, SECRET]),
  ),
  SERVICE_SECRET: SECRET,
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
};
/** Clients of each case: two hundred in all. */
const LEAVERS = 4;
/** Longer than ending takes, and shorter than any other limit that would end it. */
const SOON = 5_000;
let provider: ScriptedProvider;
let tools: ToolServer;
let whole: TestServer;
let agentAlone: TestServer;
beforeAll(async () => {
  provider = await startScriptedProvider();
  tools = await startToolServer({
    add: { run: () => text("3") },
    wait: { run: () => new Promise(() => {}) },
  });
  whole = await startTestServer({
    ...APART,
    ...settingsOf(provider),
    MCP_SERVERS: JSON.stringify([{ name: "town", url: tools.url }]),
  });
  const needs = [
    "LLM_CORE_URL",
    "USER_SERVICE_URL",
    "COMPLETION_SERVICE_URL",
    "MCP_SERVICE_URL",
  ];
  agentAlone = await startTestServer(
    { ...APART, ...Object.fromEntries(needs.map((name) => [name, whole.url])) },
    ["agent", "users"],
  );
  await vi.waitFor(async () => {
    const state = (await (await whole.request("/mcp/v1/servers")).json()) as {
      items: { state: string }[];
    };
    expect(state.items[0]?.state).toBe("ready");
  }, 90_000);
});
afterAll(async () => {
  await agentAlone[Symbol.asyncDispose]();
  await whole[Symbol.asyncDispose]();
  await tools[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});
beforeEach(() => {
  provider.requests.length = 0;
  provider.aborted = 0;
  tools.calls.length = 0;
});

const REPLIES: Record<string, Script> = {
  silent: { silent: true },
  begun: { text: ["On "], fault: "stall", faultAfter: 1 },
  "begun to call": { reasoning: ["Hm"], fault: "stall", faultAfter: 1 },
  flowing: { text: Array.from({ length: 1_000 }, () => "on "), delayMs: 20 },
};

describe.each(["in one process", "over HTTP"])("%s", (place) => {
  const parlance = () => (place === "over HTTP" ? agentAlone : whole);
  const cases = Object.keys(REPLIES).flatMap((state) =>
    [true, false].flatMap((stream) => [0, 1, 2].map((calls) => ({ state, stream, calls }))),
  );
  const run = async (stream: boolean, until: () => void) => {
    const leave = new AbortController();
    const body = {
      model: "openai/gpt-test",
      messages: [{ role: "user", content: "x" }],
      tools: ["add", "wait"],
      stream,
    };
    const request = {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-platform-service-secret": SECRET,
      },
      body: JSON.stringify(body),
    };
    const left = Array.from({ length: LEAVERS }, () =>
      fetch(`${parlance().internalUrl}/api/v1/agent/run`, {
        ...request,
        signal: leave.signal,
      })
        .then((response) => response.text())
        .catch(() => "left"),
    );
    await vi.waitFor(until, 90_000);
    leave.abort();
    expect(new Set(await Promise.all(left))).toEqual(new Set(["left"]));
  };

  test.each(cases)(
    "the provider's $state reply ends after $calls tool calls, stream: $stream",
    async ({ state, stream, calls }) => {
      provider.answer((_, { messages }) => {
        const turn = messages.filter(({ role }) => role === "tool").length + 1;
        return turn <= calls
          ? { toolCalls: [{ id: `c${turn}`, name: "add", arguments: {} }] }
          : (REPLIES[state] ?? {});
      });
      await run(stream, () =>
        expect(provider.requests).toHaveLength(LEAVERS * (calls + 1)),
      );
      await vi.waitFor(() => expect(provider.aborted).toBe(LEAVERS), SOON);
      expect(provider.requests).toHaveLength(LEAVERS * (calls + 1));
      held("clients-that-leave", LEAVERS);
    },
  );

  test.each([true, false])(
    "a tool that runs is cancelled at its server, stream: %s",
    async (stream) => {
      const before = tools.cancelled();
      provider.answer(() => ({ toolCalls: [{ name: "wait", arguments: {} }] }));
      await run(stream, () =>
        expect(tools.calls).toEqual(Array.from({ length: LEAVERS }, () => "wait")),
      );
      await vi.waitFor(() => expect(tools.cancelled()).toBe(before + LEAVERS), SOON);
      expect(provider.requests).toHaveLength(LEAVERS);
      held("clients-that-leave", LEAVERS);
    },
  );
});
