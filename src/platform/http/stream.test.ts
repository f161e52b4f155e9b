import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { type Emit, pushed } from "../batches.ts";
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
    { numRuns: 30 },
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

afterEach(() => {
  vi.useRealTimers();
});

/** A stream, what it has shown its reader so far, and its source. */
async function watched() {
  let emit: Emit<string[]> = () => {};
  const over = Promise.withResolvers<void>();
  const stream = encodedEventStream(
    pushed<string[]>((to) => {
      emit = to;
      return over.promise;
    }),
  );
  const seen: (string | undefined)[] = [];
  stream.onText = () => void seen.push(stream.takeNow());
  const say = (text: string) => void emit([text]);
  return { seen, say, end: over.resolve };
}

test("sends the first text at once, and joins what follows within a moment", async () => {
  vi.useFakeTimers();
  const { seen, say } = await watched();
  say("one ");
  expect(seen).toEqual(["one "]);
  say("two ");
  vi.advanceTimersByTime(10);
  say("three ");
  expect(seen).toHaveLength(1);
  vi.advanceTimersByTime(10);
  expect(seen).toEqual(["one ", "two three "]);
  vi.advanceTimersByTime(33);
  say("four");
  expect(seen).toEqual(["one ", "two three ", "four"]);
});

test("sends what waits with the end, and long text, without a pause", async () => {
  vi.useFakeTimers();
  const { seen, say, end } = await watched();
  const long = "x".repeat(64 * 1024);
  for (const text of ["one", long, "two"]) say(text);
  expect(seen).toEqual(["one", long]);
  end();
  await vi.waitFor(() => expect(seen).toHaveLength(3));
  expect(seen[2]).toBe("two");
});
