import fc from "fast-check";
import { expect, test } from "vitest";
import { encodedEventStream, eventStream, ndjsonStream } from "./stream.ts";

test("ignores batches without events", async () => {
  async function* batches() {
    yield [];
    await new Promise((resolve) => setTimeout(resolve, 5));
    yield [{ type: "a" }];
    await new Promise((resolve) => setTimeout(resolve, 5));
    yield [];
    await new Promise((resolve) => setTimeout(resolve, 5));
    yield [{ type: "b" }];
  }
  expect(await ndjsonStream(batches()).text()).toBe('{"type":"a"}\n{"type":"b"}\n');
  expect(await eventStream(batches()).text()).toBe(
    "event: a\ndata: {}\n\nevent: b\ndata: {}\n\n",
  );
});

test("sends text of any length unchanged, in chunks of bounded size", async () => {
  const long = fc.record({
    of: fc.constantFrom("x", "é", "☂", "𝕏", "a𝕏"),
    times: fc.constantFrom(1, 65_535, 65_536, 140_001),
  });
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    long.map(({ of, times }) => of.repeat(times)),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(piece, { maxLength: 4 }), { maxLength: 5 }),
      async (given) => {
        async function* batches() {
          for (const batch of given) yield batch;
        }
        const chunks: Uint8Array[] = [];
        for await (const chunk of encodedEventStream(batches()).body ?? [])
          chunks.push(chunk);
        expect(Buffer.concat(chunks).equals(Buffer.from(given.flat().join("")))).toBe(true);
        expect(
          Math.max(0, ...chunks.map(({ byteLength }) => byteLength)),
        ).toBeLessThanOrEqual(256 * 1024);
      },
    ),
    { numRuns: 200 },
  );
});

test("shows its reader the end when what the stream held is released", async () => {
  async function* batches() {
    yield [{ type: "a" }];
  }
  const stream = ndjsonStream(batches());
  let isReleased = false;
  stream.onEnd = async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    isReleased = true;
  };
  await stream.text();
  expect(isReleased).toBe(true);
});
