import { expect, test } from "vitest";
import { eventStream, ndjsonStream } from "./stream.ts";

test("batches without events neither end a stream nor stop it", async () => {
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
  expect(await eventStream(batches()).text()).toBe("event: a\ndata: {}\n\nevent: b\ndata: {}\n\n");
});
