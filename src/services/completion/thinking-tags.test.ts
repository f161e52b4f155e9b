import { expect, test } from "vitest";
import type { CompletionEvent } from "./contract.ts";
import { withThinkingApart } from "./thinking-tags.ts";

async function read(parts: string[]): Promise<{ text: string; reasoning: string }> {
  async function* batches(): AsyncGenerator<CompletionEvent[]> {
    for (const delta of parts) yield [{ type: "text_delta", delta }];
    yield [
      { type: "done", finishReason: "stop", usage: { inputTokens: 1, outputTokens: 1 } },
    ];
  }
  const read = { text: "", reasoning: "" };
  for await (const events of withThinkingApart(batches()))
    for (const event of events) {
      if (event.type === "text_delta") read.text += event.delta;
      if (event.type === "reasoning_delta") read.reasoning += event.delta;
    }
  return read;
}

const PAIRS = [
  ["<think>", "</think>"],
  ["<Thinking>", "</Thinking>"],
  ["<reason>", "</reason>"],
  ["<seed:think>", "</seed:think>"],
  ["[THINK]", "[/THINK]"],
  ["◁think▷", "◁/think▷"],
  ["<|START_THINKING|>", "<|END_THINKING|>"],
  ["<|begin_of_thought|>", "<|end_of_thought|>"],
  [
    "<|channel|>analysis<|message|>",
    "<|end|><|start|>assistant<|channel|>final<|message|>",
  ],
] as const;

test.each(PAIRS)(
  "keeps thoughts between %s and %s apart, wherever they are cut",
  async (opening, closing) => {
    const whole = `${opening}A plan.${closing}Hello <b>there</b>.`;
    for (let at = 0; at <= whole.length; at += 1)
      expect(await read([whole.slice(0, at), whole.slice(at)])).toEqual({
        text: "Hello <b>there</b>.",
        reasoning: "A plan.",
      });
    expect((await read([...whole])).text).toBe("Hello <b>there</b>.");
  },
);

test("loses no letter beside those whose small form is longer", async () => {
  const answer = "İstanbul is the answer.";
  const thought = "İzmir? İstanbul? İİİ";
  expect(await read([...`<think>${thought}</think>${answer}`])).toEqual({
    text: answer,
    reasoning: thought,
  });
});

test.each([
  "[thinking about it](https://a.example)",
  "[t",
  "<|channel|>final",
  "◁ left",
  "<reasons>",
])("%s is text", async (text) => {
  expect(await read([...text])).toEqual({ text, reasoning: "" });
});
