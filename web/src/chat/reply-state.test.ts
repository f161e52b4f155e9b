import { expect, test } from "vitest";
import type { ConversationEvent } from "../../../src/services/core/replies/contract.ts";
import { toReportedFailure } from "../api/failure.ts";
import { errorsWithParams } from "../texts/errors-params.de.ts";
import { fillParams } from "../texts/fill-params.ts";
import { applyEvent, NEW_REPLY } from "./reply-state.ts";

const usage = { inputTokens: 1, outputTokens: 1 };
const apply = (events: ConversationEvent[]) => events.reduce(applyEvent, NEW_REPLY);

test("text grows, and the text of the end is the whole one", () => {
  const state = apply([
    { type: "text_delta", delta: "Hel" },
    { type: "text_delta", delta: "lo" },
  ]);
  expect(state.text).toBe("Hello");
  const done: ConversationEvent = {
    type: "done",
    messageId: "m",
    content: "Hello, all",
    finishReason: "stop",
    iterations: 1,
    usage,
  };
  expect(applyEvent(state, done)).toMatchObject({ text: "Hello, all", phase: "ended" });
});

test("a result joins its call, and a call that comes twice is one", () => {
  const call = {
    type: "tool_call",
    toolCallId: "1",
    name: "echo",
    arguments: { a: 1 },
  } as const;
  const state = apply([
    call,
    call,
    {
      type: "tool_result",
      toolCallId: "1",
      name: "echo",
      content: "1",
      isError: false,
      durationMs: 5,
    },
  ]);
  expect(state.tools).toEqual([
    {
      toolCallId: "1",
      name: "echo",
      arguments: { a: 1 },
      content: "1",
      isError: false,
      durationMs: 5,
      at: 0,
    },
  ]);
});

test("what a call prints is shown until its result has it", () => {
  const call = { toolCallId: "1", name: "run_python" };
  const printed = apply([
    { type: "tool_call", ...call, arguments: {} },
    { type: "tool_output", toolCallId: "1", output: "one\n" },
    { type: "tool_output", toolCallId: "1", output: "two\n" },
    { type: "tool_output", toolCallId: "unknown", output: "three" },
  ]);
  expect(printed.tools).toMatchObject([{ toolCallId: "1", printed: "one\ntwo\n" }]);
  const result = { content: "all", isError: false, durationMs: 5 };
  const ended = applyEvent(printed, { type: "tool_result", ...call, ...result });
  const late = applyEvent(ended, { type: "tool_output", toolCallId: "1", output: "late" });
  expect(late.tools).toEqual([{ ...call, arguments: {}, ...result, at: 0 }]);
});

test("an error ends the reply and keeps its text", () => {
  const state = apply([
    { type: "text_delta", delta: "So far" },
    { type: "error", code: "provider_failed", error: "The provider failed." },
  ]);
  expect(state).toMatchObject({
    phase: "ended",
    text: "So far",
    error: { code: "provider_failed" },
  });
});

test("the German sentence of a failed reply contains the value that the stream sent", () => {
  const code = "provider_timeout";
  const { error } = apply([
    { type: "error", code, error: "Nothing for 30 s.", params: { seconds: 30 } },
  ]);
  const { params } = toReportedFailure(error ?? { code, error: "" });
  expect(fillParams(errorsWithParams[code] ?? "", params)).toContain("30 Sekunden");
});
