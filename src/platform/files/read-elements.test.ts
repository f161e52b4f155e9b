import { expect, test } from "vitest";
import { createS3 } from "./s3-client.ts";
import { readElements } from "./read-elements.ts";

const LIMITS = { maxBytes: 1_000_000, maxElements: 1_000 };
const elements = async (response: Response, limits = LIMITS) => {
  const all: [string, string][] = [];
  await readElements(response, limits, (name, text) => void all.push([name, text]));
  return all;
};
/** A body that never ends, and the number of bytes read of it. */
const endless = (piece: string) => {
  const bytes = new TextEncoder().encode(piece);
  const read = { bytes: 0 };
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      read.bytes += bytes.length;
      controller.enqueue(bytes);
    },
  });
  return { read, response: new Response(body) };
};

test("each element comes with its own text, wherever the chunks end", async () => {
  const xml = "<r><Key>a&amp;é</Key><Size>3</Size></r>";
  const bytes = new TextEncoder().encode(xml);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const expected = [
    ["Key", "a&é"],
    ["Size", "3"],
    ["r", ""],
  ];
  expect(await elements(new Response(body))).toEqual(expected);
});

test.each([
  ["of elements without end", "<Contents><Key>a</Key></Contents>".repeat(100)],
  ["that opens elements without end", "<a>".repeat(1_000)],
  ["of one text without end", "a".repeat(10_000)],
  ["of one name without end", `<${"a".repeat(10_000)}`],
  ["of white space without end", " ".repeat(10_000)],
])("a listing %s is left at its limits", async (_, piece) => {
  const { read, response } = endless(piece);
  const s3 = createS3(
    {
      endpoint: "http://s3",
      region: "r",
      bucket: "b",
      accessKeyId: "a",
      secretAccessKey: "s",
    },
    async () => response,
  );
  await expect(s3.list("")).rejects.toMatchObject({ code: "storage_refused" });
  expect(read.bytes).toBeLessThan(10 * 2 ** 20);
});

test("yields to the event loop while reading a long answer", async () => {
  let turns = 0;
  const others = setInterval(() => (turns += 1), 0);
  const { response } = endless(`<r>${"<a/>".repeat(1_000)}</r>`.repeat(100));
  const limits = { maxBytes: 8 * 2 ** 20, maxElements: 1e9 };
  await expect(elements(response, limits)).rejects.toThrow("bytes");
  clearInterval(others);
  expect(turns).toBeGreaterThan(10);
});
