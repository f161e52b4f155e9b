import fc from "fast-check";
import { expect, test } from "vitest";
import { withThinkingApart } from "../thinking-tags.ts";
import { OpenAiReader } from "./read-stream.ts";

const event = (chunk: object) => `data: ${JSON.stringify(chunk)}\n\n`;
const delta = (fields: object) => event({ choices: [{ index: 0, delta: fields }] });
const call = (part: object) => delta({ tool_calls: [part] });
const end = (reason: string) =>
  event({ choices: [{ index: 0, delta: {}, finish_reason: reason }] });

function read(text: string, cuts: number[] = []) {
  const reader = new OpenAiReader();
  const events = [];
  let from = 0;
  for (const at of [...cuts.toSorted((one, other) => one - other), text.length]) {
    events.push(...reader.push(text.slice(from, at)));
    from = Math.max(from, at);
  }
  events.push(...reader.end());
  return { events, failure: reader.failure };
}

const callsOf = (text: string) =>
  read(text).events.flatMap((one) =>
    one.type === "tool_call" ? [[one.arguments, one.unreadable]] : [],
  );

test.each<[string, string, unknown[]]>([
  [
    "one index for all, told apart by ids",
    call({ index: 0, id: "a", function: { name: "f", arguments: '{"x":1}' } }) +
      call({ index: 0, id: "b", function: { name: "f", arguments: '{"x":2}' } }),
    [{ x: 1 }, { x: 2 }],
  ],
  [
    "an object instead of text",
    call({ index: 0, id: "a", function: { name: "f", arguments: { x: 1 } } }),
    [{ x: 1 }],
  ],
  [
    "JSON that is encoded twice",
    call({ index: 0, function: { name: "f", arguments: JSON.stringify('{"x":1}') } }),
    [{ x: 1 }],
  ],
  [
    "the older function_call",
    delta({ function_call: { name: "f", arguments: '{"x":1}' } }),
    [{ x: 1 }],
  ],
])("reads calls with %s", (_, text, expected) => {
  expect(callsOf(text + end("tool_calls")).map(([values]) => values)).toEqual(expected);
});

test("marks a call whose arguments were cut, and leaves it out at the limit of tokens", () => {
  const cut = call({ index: 0, id: "a", function: { name: "f", arguments: '{"x": "o' } });
  expect(callsOf(cut + end("tool_calls"))).toEqual([[{}, '{"x": "o']]);
  const { events } = read(cut + end("length"));
  expect(events).toMatchObject([{ type: "done", finishReason: "length" }]);
});

test("reads the same however the stream is cut and its lines end", () => {
  const text =
    delta({ content: "Hi 👋" }) +
    call({ index: 0, id: "a", function: { name: "f", arguments: '{"x":' } }) +
    call({ index: 0, function: { arguments: "1}" } }) +
    end("tool_calls");
  const whole = read(text);
  const lineEnds = fc.constantFrom("\n", "\r\n", "\r");
  fc.assert(
    fc.property(lineEnds, fc.array(fc.nat(text.length)), (lineEnd, cuts) => {
      const { events, failure } = read(text.replaceAll("\n", lineEnd), cuts);
      expect(failure).toBeUndefined();
      expect(events.filter(({ type }) => type !== "text_delta")).toEqual(
        whole.events.filter(({ type }) => type !== "text_delta"),
      );
    }),
  );
});

test("makes reasoning of tags at the beginning, however the text is cut", async () => {
  const text = "\n<think>a plan</think>\n\nThe <think> tag";
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(text.length)), async (cuts) => {
      const at = [0, ...cuts.toSorted((one, other) => one - other), text.length];
      async function* batches() {
        for (let index = 1; index < at.length; index += 1)
          yield [
            { type: "text_delta" as const, delta: text.slice(at[index - 1], at[index]) },
          ];
      }
      const read = { text_delta: "", reasoning_delta: "" };
      for await (const events of withThinkingApart(batches()))
        for (const one of events)
          if (one.type === "text_delta" || one.type === "reasoning_delta")
            read[one.type] += one.delta;
      expect(read).toEqual({ text_delta: "The <think> tag", reasoning_delta: "a plan" });
    }),
  );
});

const textOf = (text: string) =>
  read(text)
    .events.map((one) => (one.type === "text_delta" ? one.delta : ""))
    .join("");

test.each<[string, object]>([
  ["a number", { content: 42 }],
  ["parts of the newer API", { content: [{ type: "output_text", text: "42" }] }],
  ["parts without a kind", { content: [{ text: "42" }] }],
  ["a list of texts", { content: ["4", "2"] }],
  ["a part that is no list", { content: { type: "text", text: "42" } }],
  ["the value of a text", { content: [{ type: "text", text: { value: "42" } }] }],
])("loses no text that comes as %s", (_, fields) => {
  expect(textOf(delta(fields) + end("stop"))).toBe("42");
});

test("reads the text of older completions", () => {
  const chunk = event({ choices: [{ index: 0, text: "42", finish_reason: "stop" }] });
  expect(textOf(chunk)).toBe("42");
});

const said = delta({ content: "42" });

test.each([
  ["a mark in small letters", `${said}data: [done]\n\n`],
  ["a mark without a field", `${said}[DONE]\n\n`],
  ["a mark in quotation marks", `${said}data: "[DONE]"\n\n`],
  ["events that are framed twice", `data: ${said}data: data: [DONE]\n\n`],
  ["empty events", `data: null\n\n${said}${end("stop")}`],
])("reads %s", (_, text) => {
  expect(read(text).failure).toBeUndefined();
  expect(textOf(text)).toBe("42");
});

test.each<[object, string]>([
  [{ detail: "Rate limit exceeded" }, "provider_rate_limited"],
  [{ message: "Model is overloaded", code: 503 }, "provider_failed"],
  [{ success: false, message: "insufficient balance" }, "provider_no_credit"],
])("says what an error without a frame says: %j", (error, code) => {
  expect(read(event(error)).failure?.code).toBe(code);
});

test.each([
  ["the names of fields in capitals", said.replace("data:", "Data:") + end("stop")],
  [
    "an answer that a gateway wraps",
    JSON.stringify({
      code: 0,
      data: { choices: [{ message: { content: "42" }, finish_reason: "stop" }] },
    }),
  ],
  [
    "chunks that a gateway wraps",
    event({ result: { choices: [{ delta: { content: "42" } }] } }) + end("stop"),
  ],
])("reads %s", (_, text) => {
  expect(read(text).failure).toBeUndefined();
  expect(textOf(text)).toBe("42");
});

test("a thought that Gemini marks in its own field is no text, however the stream is cut", () => {
  const mark = { google: { thought: true } };
  const text =
    delta({ content: "Let me ", extra_content: mark }) +
    delta({ content: "think.", extra_content: mark }) +
    delta({ content: [{ text: " More.", thought: true }] }) +
    delta({ content: "4" }) +
    delta({ content: "2", extra_content: { google: { thought_signature: "s" } } }) +
    end("stop");
  fc.assert(
    fc.property(fc.array(fc.nat(text.length), { maxLength: 6 }), (cuts) => {
      const { events } = read(text, cuts);
      const joined = (type: string) =>
        events.flatMap((one) => ("delta" in one && one.type === type ? [one.delta] : []));
      expect(joined("reasoning_delta").join("")).toBe("Let me think. More.");
      expect(joined("text_delta").join("")).toBe("42");
    }),
  );
});

test.each([
  { promptTokens: 12, completionTokens: 3 },
  { inputTokens: 12, outputTokens: 3 },
  { promptTokenCount: 12, candidatesTokenCount: 3, totalTokenCount: 15 },
])("counts tokens under the names of others: %j", (usage) => {
  for (const name of ["usage", "usageMetadata"]) {
    const { events } = read(said + event({ choices: [], [name]: usage }) + end("stop"));
    expect(events.at(-1)).toMatchObject({ usage: { inputTokens: 12, outputTokens: 3 } });
  }
});

test("counts tokens that are written as text", () => {
  const usage = { prompt_tokens: "12", completion_tokens: "3" };
  const { events } = read(said + event({ choices: [], usage }) + end("stop"));
  expect(events.at(-1)).toMatchObject({ usage: { inputTokens: 12, outputTokens: 3 } });
});
