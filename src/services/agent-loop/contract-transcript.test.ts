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
