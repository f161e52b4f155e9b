import { afterAll, beforeAll, expect, test } from "vitest";
import { eventsOf, startTestServer, type TestServer } from "./support/server.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { held } from "./support/held.ts";
import { settingsOf } from "./support/scripted-server.ts";

let provider: ScriptedProvider;
let parlance: TestServer;
beforeAll(async () => {
  provider = await startScriptedProvider();
  parlance = await startTestServer({
    ...settingsOf(provider),
    COMPLETION_PROVIDER_TIMEOUT: "2000",
  });
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

const FAULTS = [
  ["stall", "provider_timeout"],
  ["cut", "provider_cut"],
  ["garbage", "provider_invalid"],
  ["long-line", "provider_invalid"],
] as const;
const PARAMS: Record<string, object> = { provider_timeout: { seconds: 2 } };

test.each(FAULTS)(
  "a person whose model's reply ends in a %s sees what came and why it ended, then and later",
  async (fault, code) => {
    const params = PARAMS[code];
    provider.answer(() => ({
      text: ["Half", " of", " it"],
      fault,
      faultAfter: 2,
      delayMs: 30,
    }));
    const events = await eventsOf(
      await parlance.request("/api/v1/conversation", {
        body: { content: "hello", model: "openai/gpt-test" },
      }),
    );
    const text = events
      .map(({ event, data }) => (event === "text_delta" ? data["delta"] : ""))
      .join("");
    expect(text).toBe("Half of");
    expect(
      events
        .filter(({ event }) => event === "done" || event === "error")
        .map(({ data }) => [data["code"], data["params"]]),
    ).toEqual([[code, params]]);
    const path = `/api/v1/conversation/${String(events[0]?.data["conversationId"])}`;
    const { messages } = (await (await parlance.request(path)).json()) as {
      messages: Record<string, unknown>[];
    };
    expect(messages.at(-1)).toMatchObject({
      role: "assistant",
      content: "Half of",
      status: "failed",
      error: { code, ...(params && { params }) },
    });
    held(fault === "long-line" ? "upstream-floods" : "provider-faults");
  },
);

test.each([
  ["/api/v1/conversation", { content: "hello" }],
  ["/v1/chat/completions", { messages: [{ role: "user", content: "hello" }] }],
])(
  "a request to %s for one object shows by its status whether the provider was slow, busy or broken",
  async (path, asked) => {
    for (const tools of path.startsWith("/api") ? [undefined, ["any"]] : [undefined]) {
      for (const [script, status, code] of [
        [
          { text: ["Half", " of"], fault: "stall", faultAfter: 1, delayMs: 30 },
          504,
          "provider_timeout",
        ],
        [
          { text: ["Half", " of"], fault: "cut", faultAfter: 1, delayMs: 30 },
          502,
          "provider_cut",
        ],
        [
          { status: 429, headers: { "retry-after": "60" } },
          path.startsWith("/v1") ? 429 : 503,
          "provider_rate_limited",
        ],
      ] as const) {
        provider.answer(() => ({
          ...script,
          text: "text" in script ? [...script.text] : [],
        }));
        const body = {
          ...asked,
          model: "openai/gpt-test",
          stream: false,
          ...(tools && { tools }),
        };
        const response = await parlance.request(path, { body });
        expect([response.status, JSON.stringify(await response.json())]).toEqual([
          status,
          expect.stringContaining(`"${code}"`),
        ]);
      }
    }
  },
);

test.each(FAULTS)(
  "a run whose model's reply ends in a %s tells what was done so far",
  async (fault, code) => {
    provider.answer(() => ({
      text: ["Half", " of", " it"],
      fault,
      faultAfter: 2,
      delayMs: 30,
    }));
    const response = await fetch(`${parlance.internalUrl}/api/v1/agent/run`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        model: "openai/gpt-test",
        messages: [{ role: "user", content: "hello" }],
        stream: false,
      }),
    });
    const error = (await response.json()) as Record<string, unknown>;
    expect([response.status, error["code"]]).toEqual([fault === "stall" ? 504 : 502, code]);
    expect(error["details"]).toMatchObject({ iterations: 1, toolCalls: [] });
    held("provider-faults");
  },
);
