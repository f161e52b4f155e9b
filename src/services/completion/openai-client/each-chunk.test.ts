import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { eachChunk } from "./each-chunk.ts";

test("takes all chunks in their order", async () => {
  const body = new PassThrough();
  const taken: string[] = [];
  const whole = eachChunk(body, (chunk) => void taken.push(String(chunk)));
  body.write("one");
  body.write("two");
  body.end("three");
  await whole;
  expect(taken.join(" ")).toBe("one two three");
});

test("lets the body wait while a chunk is taken, and its error too", async () => {
  const body = new PassThrough({ highWaterMark: 1 });
  const taken: string[] = [];
  const isTaken = Promise.withResolvers<void>();
  const reading = eachChunk(body, (chunk) => {
    taken.push(String(chunk));
    return isTaken.promise;
  });
  let isOver = false;
  reading.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  body.write("one");
  body.write("two");
  await new Promise(setImmediate);
  expect(taken).toEqual(["one"]);
  body.destroy(new Error("reset"));
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  isTaken.resolve();
  await expect(reading).rejects.toThrow("reset");
  expect(taken).toEqual(["one"]);
});

test.each([
  [
    "at once",
    () => {
      throw new Error("unreadable");
    },
  ],
  [
    "later",
    async () => {
      throw new Error("unreadable");
    },
  ],
])("destroys the body of a chunk that cannot be taken, %s", async (_, take) => {
  const body = new PassThrough();
  const reading = eachChunk(body, take);
  body.write("one");
  await expect(reading).rejects.toThrow("unreadable");
  expect(body.destroyed).toBe(true);
});

test("fails for a body that is closed before its end", async () => {
  const body = new PassThrough();
  const reading = eachChunk(body, () => {});
  body.destroy();
  await expect(reading).rejects.toThrow("before its end");
  await expect(eachChunk(body, () => {})).rejects.toThrow("closed");
});

test("the end waits for the chunk that is taken, and for its error", async () => {
  for (const ending of ["taken", "failed"]) {
    const body = new PassThrough({ highWaterMark: 1 });
    const last = Promise.withResolvers<void>();
    const reading = eachChunk(body, (chunk) =>
      String(chunk) === "two" ? last.promise : Promise.resolve(),
    );
    let isOver = false;
    reading.then(
      () => (isOver = true),
      () => (isOver = true),
    );
    body.write("one");
    body.end("two");
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    expect(isOver).toBe(false);
    if (ending === "failed") {
      last.reject(new Error("the reader left"));
      await expect(reading).rejects.toThrow("the reader left");
    } else {
      last.resolve();
      await reading;
    }
  }
});
