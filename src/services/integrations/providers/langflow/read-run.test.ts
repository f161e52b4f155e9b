import fc from "fast-check";
import { expect, test } from "vitest";
import { silentLog } from "../../../../platform/telemetry/log.ts";
import type { RunPart } from "../provider.ts";
import { readOutput } from "./read-output.ts";
import { readRun } from "./read-run.ts";

const machine = (text: string, id: string) => ({
  event: "add_message",
  data: { sender: "Machine", text, id },
});
const token = (chunk: string, id: string) => ({ event: "token", data: { chunk, id } });
const end = (...texts: string[]) => ({
  event: "end",
  data: {
    result: {
      outputs: [
        {
          outputs: texts.map((text) => ({
            component_id: "ChatOutput-1",
            results: { message: { text } },
          })),
        },
      ],
    },
  },
});
const encoded = (events: object[]) =>
  new TextEncoder().encode(events.map((event) => `${JSON.stringify(event)}\n\n`).join(""));

/** Reads events that come in pieces of these lengths. */
async function read(events: object[], lengths: readonly number[] = []): Promise<RunPart[]> {
  const bytes = encoded(events);
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const length of [...lengths, bytes.length])
    pieces.push(bytes.slice(from, (from += length)));
  const parts: RunPart[] = [];
  for await (const batch of readRun(
    ReadableStream.from(pieces) as ReadableStream<Uint8Array>,
    silentLog(),
  ))
    parts.push(...batch);
  return parts;
}
const textOf = (parts: readonly RunPart[]) =>
  parts.flatMap((part) => (part.type === "text" ? [part.delta] : [])).join("");

test("a run's text arrives once and in order, however its stream is split", async () => {
  const words = fc.array(fc.string({ minLength: 1, unit: "grapheme" }), {
    minLength: 1,
    maxLength: 20,
  });
  await fc.assert(
    fc.asyncProperty(
      words,
      fc.boolean(),
      fc.array(fc.nat(60), { maxLength: 60 }),
      async (chunks, empty, lengths) => {
        const whole = chunks.join("");
        const begins = machine(empty ? "" : (chunks[0] ?? ""), "m");
        const parts = await read(
          [
            begins,
            ...chunks.map((chunk) => token(chunk, "m")),
            machine(whole, "m"),
            end(whole),
          ],
          lengths,
        );
        expect(textOf(parts)).toBe(whole);
        expect(parts.at(-1)).toMatchObject({ type: "result", output: whole });
        expect(parts.filter(({ type }) => type === "result")).toHaveLength(1);
      },
    ),
  );
});

test("messages of several components are separated, and text of tokens is not repeated", async () => {
  expect(
    textOf(
      await read([
        machine("first", "a"),
        token("sec", "b"),
        token("ond", "b"),
        machine("second", "b"),
        end("first", "second"),
      ]),
    ),
  ).toBe("first\n\nsecond");
});

test("text that only the end event contains is sent then", async () => {
  expect(await read([{ event: "build_start", data: {} }, end("late")])).toEqual([
    { type: "text", delta: "late" },
    {
      type: "result",
      output: "late",
      outputs: [{ component: "ChatOutput-1", text: "late" }],
    },
  ]);
});

test("an incomplete, failed or invalid stream has its own error", async () => {
  await expect(read([machine("half", "a")])).rejects.toMatchObject({ code: "flow_cut" });
  await expect(
    read([{ event: "error", data: { error: "sk-secret" } }]),
  ).rejects.toMatchObject({
    code: "flow_failed",
  });
  await expect(
    read([{ event: "error", data: { error: "sk-secret" } }]),
  ).rejects.not.toThrow("sk-secret");
  await expect(read([{ no: "event" }])).rejects.toMatchObject({ code: "flow_cut" });
  await expect(read([])).rejects.toMatchObject({ code: "flow_cut" });
});

test.each([
  ["a message", { results: { message: { text: "x" } } }, "x"],
  ["a message's data", { results: { message: { data: { text: "x" } } } }, "x"],
  ["a text", { results: { text: { text: "x" } } }, "x"],
  ["a named output", { outputs: { any: { message: "x" } } }, "x"],
  ["a named output's message", { outputs: { any: { message: { text: "x" } } } }, "x"],
  ["a list of messages", { messages: [{ message: "x" }] }, "x"],
  ["an artifact", { artifacts: { message: "x" } }, "x"],
  ["nothing", null, ""],
])("text is found in %s", (_, output, text) => {
  expect(readOutput({ outputs: [{ outputs: [output] }] }).output).toBe(text);
});

test("data without text is returned as data, and any other response is no output", () => {
  const data = { table: { message: { rows: [1] } } };
  expect(
    readOutput({ outputs: [{ outputs: [{ component_id: "T", outputs: data }] }] }),
  ).toEqual({
    output: "",
    outputs: [{ component: "T", data }],
  });
  fc.assert(
    fc.property(fc.anything(), (anything) => {
      expect(typeof readOutput(anything).output).toBe("string");
    }),
  );
});
