import { expect, test } from "vitest";
import { partsOf } from "./answer-parts.ts";
import type { ToolCall } from "./reply-state.ts";

const call = (toolCallId: string, at?: number): ToolCall => ({
  toolCallId,
  name: "look",
  arguments: {},
  ...(at !== undefined && { at }),
});
const shown = (text: string, ...tools: ToolCall[]) =>
  partsOf(text, tools).map((part) => [part.tools.map((one) => one.toolCallId), part.text]);

test("calls stand between the texts that were written before and after them", () => {
  const text = "First.\n\nThen.\n\nDone.";
  expect(shown(text, call("a", 6), call("b", 6), call("c", 13))).toEqual([
    [[], "First."],
    [["a", "b"], "\n\nThen."],
    [["c"], "\n\nDone."],
  ]);
});

test("calls before any text, and after all of it, have no text beside them", () => {
  expect(shown("Done.", call("a", 0))).toEqual([[["a"], "Done."]]);
  expect(shown("So:", call("a", 3))).toEqual([
    [[], "So:"],
    [["a"], ""],
  ]);
  expect(shown("", call("a"))).toEqual([[["a"], ""]]);
  expect(shown("")).toEqual([]);
});

test("a place that is not known is the beginning, and none cuts a paragraph or leaves the text", () => {
  expect(shown("Done.", call("a"))).toEqual([[["a"], "Done."]]);
  expect(shown("One word.\n\nMore.", call("a", 6))).toEqual([
    [[], "One word."],
    [["a"], "\n\nMore."],
  ]);
  expect(shown("One word.", call("a", 6))).toEqual([
    [[], "One word."],
    [["a"], ""],
  ]);
  expect(shown("One.", call("a", 99))).toEqual([
    [[], "One."],
    [["a"], ""],
  ]);
});
