import fc from "fast-check";
import { expect, test } from "vitest";
import { OpenAiReader } from "./read-stream.ts";
import { TextTemplate } from "./text-template.ts";

// few enough values that lines often resemble the ones before
const content = fc.oneof(
  fc.constantFrom("a", "b", ""),
  fc.string({ unit: "binary", maxLength: 6 }),
);
const hard = fc.constantFrom('"', "\\", '"}},"content":"', "\\u0041", "é", "\u0007");
const delta = fc.oneof(
  { weight: 3, arbitrary: fc.record({ content }) },
  fc.record({ content: hard }),
  fc.record({ content, reasoning: fc.constantFrom("thought", "") }),
  fc.record({ content, refusal: fc.constantFrom("no", "") }),
  fc.constant({ content: null }),
);
const chunk = fc.record({
  id: fc.constantFrom("1", "1", '"content":"x"'),
  choices: delta.map((one) => [{ index: 0, delta: one }]),
  content: fc.constantFrom(undefined, undefined, "elsewhere"),
});

test("reading by a template returns the same reply as parsing each line", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(chunk, fc.constantFrom(0, 1)), { maxLength: 30 }),
      fc.boolean(),
      (chunks, isEachAlone) => {
        const reader = new OpenAiReader();
        const texts = chunks.map(
          ([one, space]) =>
            `data: ${JSON.stringify(one, null, space)?.replaceAll("\n", "")}\n\n`,
        );
        const pieces = isEachAlone ? texts : [texts.join("")];
        const said = { text_delta: "", reasoning_delta: "" };
        for (const event of pieces.flatMap((piece) => reader.push(piece)))
          if (event.type === "text_delta" || event.type === "reasoning_delta")
            said[event.type] += event.delta;
        expect(reader.failure).toBeUndefined();
        const deltas: { content?: string | null; reasoning?: string; refusal?: string }[] =
          chunks.map(([{ choices }]) => choices[0]?.delta ?? {});
        expect(said).toEqual({
          text_delta: deltas
            .map(({ content, refusal }) => (content ?? "") + (refusal ?? ""))
            .join(""),
          reasoning_delta: deltas.map(({ reasoning }) => reasoning ?? "").join(""),
        });
      },
    ),
    { numRuns: 2_000 },
  );
});

test("skips parsing only for lines that differ in their text alone", () => {
  const line = (content: string, rest = "null") =>
    `{"choices":[{"delta":{"content": "${content}"},"finish_reason":${rest}}]}`;
  const template = new TextTemplate();
  expect(template.textOf(line("one"))).toBeUndefined();
  template.learn(line("one"), JSON.parse(line("one")));
  expect(template.textOf(line(" two"))).toBe(" two");
  expect(template.textOf(line('\\"'))).toBeUndefined();
  expect(template.textOf(line("three", '"stop"'))).toBeUndefined();
  expect(
    template.textOf(line('x"},"finish_reason":null},{"delta":{"content":"y')),
  ).toBeUndefined();
});
