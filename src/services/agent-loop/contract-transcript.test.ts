import { expect, test } from "vitest";
import { Transcript } from "./contract-transcript.ts";

const FIRST = { inputTokens: 3_000, outputTokens: 40 };
const LAST = { inputTokens: 3_100, outputTokens: 90 };

test("the usage of several turns is their sum, with what the last one had in its context", () => {
  const transcript = new Transcript();
  transcript.beginTurn();
  transcript.addTurn(FIRST);
  expect(transcript.usageOfRun).toEqual(FIRST);
  // what an agent used that was called as a tool is not in the context
  transcript.addUsage({ inputTokens: 50_000, outputTokens: 9_000, contextTokens: 8_000 });
  transcript.beginTurn();
  transcript.addTurn(LAST);
  expect(transcript.usageOfRun).toEqual({
    inputTokens: 56_100,
    outputTokens: 9_130,
    contextTokens: 3_190,
  });
});

test("a reply that goes on after a decision keeps the context of its last turn", () => {
  const earlier = { history: [], reasoning: "", toolCalls: [], sources: [], usage: FIRST };
  const transcript = new Transcript({ earlier });
  transcript.add({
    type: "done",
    content: "",
    finishReason: "stop",
    iterations: 1,
    usage: LAST,
  });
  expect(transcript.usage).toEqual({
    inputTokens: 6_100,
    outputTokens: 130,
    contextTokens: 3_190,
  });
});

test("a reply that asked once has no figures of its own for the context", () => {
  const transcript = new Transcript();
  transcript.add({
    type: "done",
    content: "Yes.",
    finishReason: "stop",
    iterations: 1,
    usage: LAST,
  });
  expect(transcript.usage).toEqual(LAST);
});

test("calls have their places in the text, also those of a reply that goes on after a decision", () => {
  const call = (toolCallId: string) =>
    ({ type: "tool_call", toolCallId, name: "look", arguments: {} }) as const;
  const result = (toolCallId: string) =>
    ({
      type: "tool_result",
      toolCallId,
      name: "look",
      content: "seen",
      isError: false,
      durationMs: 1,
    }) as const;
  const first = new Transcript();
  first.add(call("a"));
  first.add(result("a"));
  first.add({ type: "text_delta", delta: "So far." });
  first.add(call("b"));
  expect(first.toolCalls).toMatchObject([{ toolCallId: "a", at: 0 }]);
  const earlier = {
    history: first.history,
    reasoning: "",
    toolCalls: first.toolCalls,
    sources: [],
    usage: null,
  };
  const then = new Transcript({ earlier });
  then.add(result("b"));
  then.add({ type: "text_delta", delta: "\n\nDone." });
  expect(then.content).toBe("So far.\n\nDone.");
  expect(then.toolCalls).toMatchObject([
    { toolCallId: "a", at: 0 },
    { toolCallId: "b", at: "So far.".length },
  ]);
});
