import { describe, expect, test } from "vitest";
import {
  completionServer,
  lines,
  textOf,
} from "../../../test/support/completion-server.ts";
import type { Dialect } from "../../../test/support/dialects/dialect.ts";
import { DIALECTS } from "../../../test/support/dialects/dialects.ts";
import type { Reply } from "../../../test/support/fake-provider/script.ts";
import { providerKinds } from "./contract-provider-kinds.ts";
import type { Message } from "./contract.ts";

/** What must hold for every server, however it writes. See docs/models.md. */

const weather = {
  name: "weather",
  description: "The weather",
  inputSchema: { type: "object", properties: { city: { type: "string" } } },
};
const question: Message = { role: "user", content: "What is the weather?" };

const serverOf = ({ kind, wire, model }: Dialect, ...replies: Reply[]) =>
  completionServer({ kind, replies, ...(wire && { wire }), ...(model && { model }) });

async function ask(dialect: Dialect, whole: string) {
  const server = await serverOf(dialect, { whole });
  const events = await lines(await server.ask({ tools: [weather] }));
  const reasoning = events
    .map(({ type, delta }) => (type === "reasoning_delta" ? delta : ""))
    .join("");
  const calls = events.filter(({ type }) => type === "tool_call");
  return { ...server, events, reasoning, calls, text: textOf(events), last: events.at(-1) };
}

describe.each(Object.entries(DIALECTS))("a reply of %s", (_, dialect) => {
  const { replies, usage, errors, sentBack = [], models } = dialect;

  test("is read with its text, its end and its usage", async () => {
    const { text, last, transactions } = await ask(dialect, replies.text);
    expect(text).toBe("Hello there.");
    expect(last).toEqual({ type: "done", finishReason: "stop", usage });
    expect(transactions).toMatchObject([usage]);
    expect(transactions[0]?.estimated).toBeUndefined();
  });

  test("has its thoughts apart", async () => {
    const { text, reasoning } = await ask(dialect, replies.thinking);
    expect([reasoning.trim(), text]).toEqual(["A plan.", "Hello there."]);
  });

  test("has both calls, and their results go back to it", async () => {
    const { calls, last, text } = await ask(dialect, replies.calls);
    expect(calls.map((one) => one["arguments"])).toEqual([
      { city: "Rome" },
      { city: "Bonn" },
    ]);
    expect(calls.map(({ name }) => name)).toEqual(["weather", "weather"]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    expect([text, last?.["finishReason"]]).toEqual(["", "tool_calls"]);

    const { ask: answer, provider } = await serverOf(dialect, { whole: replies.text });
    const results = calls.map(({ id }, at): object => ({
      role: "tool",
      toolCallId: id,
      content: `result ${at}`,
    }));
    const toolCalls = calls.map(({ type: __, ...one }) => ({ ...one, type: "tool_call" }));
    const turn = { role: "assistant", content: "", toolCalls };
    await lines(await answer({ tools: [weather], messages: [question, turn, ...results] }));
    const sent = JSON.stringify(provider.requests[0]?.body);
    for (const words of [...sentBack, "result 0", "result 1"])
      expect(sent).toContain(words);
  });

  test("that is cut within a call keeps the whole calls alone", async () => {
    if (!replies.cutCall) return expect(dialect.kind).toBeDefined();
    const { calls, last } = await ask(dialect, replies.cutCall);
    expect(calls.map((one) => one["arguments"])).toEqual([{ city: "Rome" }]);
    expect(last).toMatchObject({ type: "done", finishReason: "length" });
  });

  test.each([
    ["length", replies.length],
    ["content_filter", replies.filtered],
  ])("that ends by %s says so", async (reason, body) => {
    const { text, last } = await ask(dialect, body);
    expect([text, last]).toMatchObject(["Hello", { type: "done", finishReason: reason }]);
  });

  test("that ends without an end was cut", async () => {
    const { text, last } = await ask(dialect, replies.cut);
    expect([text, last]).toMatchObject(["Hello", { type: "error", code: "provider_cut" }]);
  });

  test.each(errors.before)("is refused with %i and %s: %s", async (status, body, code) => {
    const refusal = status === 200 ? { whole: body } : { status, body };
    const server = await serverOf(dialect, refusal);
    const response = await server.ask({ tools: [weather] });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(await response.json()).toMatchObject({ code });
  });

  test.each(errors.inside)("fails in the middle with %s: %s", async (body, code) => {
    const { text, last } = await ask(dialect, body);
    expect([text, last]).toMatchObject(["Hello", { type: "error", code }]);
  });

  test("comes from a model that its server lists", () => {
    if (!models) return expect(dialect.kind).toBe("bedrock");
    const [answer, ids] = models;
    const config = {
      apiKey: "k",
      baseUrl: "https://a.example",
      endpoint: "https://a.example",
    };
    const list = providerKinds[dialect.kind].modelList(config);
    if (typeof list === "string") throw new Error("it lists no models");
    expect(list.answer.parse(answer).map(({ providerModelId }) => providerModelId)).toEqual(
      ids,
    );
  });
});
