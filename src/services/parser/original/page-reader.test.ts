import { expect, test } from "vitest";
import { FIND_WORDS } from "../reading/file-tasks.ts";
import { createPageReader } from "./page-reader.ts";

const { signal } = new AbortController();
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

function streamOf(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(stream) {
      stream.enqueue(Buffer.from(text));
      stream.close();
    },
  });
}

/** Reads pages of files whose reading ends when the test says so. */
function openReader(processes: number) {
  const copies: string[] = [];
  let most = 0;
  const reading: (() => void)[] = [];
  const onPage = createPageReader({
    files: { read: async (key) => streamOf(key) },
    local: {
      async take(body) {
        for await (const bytes of body) copies.push(Buffer.from(bytes).toString());
        most = Math.max(most, copies.length);
        const name = copies.at(-1) ?? "";
        return {
          path: name,
          size: 1,
          sha256: "",
          [Symbol.asyncDispose]: async () => void copies.splice(copies.indexOf(name), 1),
        };
      },
    },
    pool: {
      async run(_task, { page }) {
        await new Promise<void>((resolve) => reading.push(resolve));
        // the page that no file has
        return (page === 9 ? undefined : { pages: 1 }) as never;
      },
    },
    processes,
    maxBytes: 1_000,
  });
  return {
    ask: (userId: string, page = 1) =>
      onPage({ userId, storageKey: `of ${userId}`, page }, signal, FIND_WORDS),
    copies,
    most: () => most,
    async finish(asked: readonly Promise<unknown>[]) {
      let isOver = false;
      const ended = Promise.allSettled(asked).then((all) => {
        isOver = true;
        return all;
      });
      while (!isOver) {
        for (const end of reading.splice(0)) end();
        await settled();
      }
      return ended;
    },
  };
}

test("of many requests of one user two have a copy of the file, and another user's comes first", async () => {
  const reader = openReader(5);
  const asked = Array.from({ length: 100 }, () => reader.ask("ann"));
  await settled();
  expect(reader.copies).toEqual(["of ann", "of ann"]);
  asked.push(reader.ask("bob"));
  await settled();
  expect(reader.copies).toEqual(["of ann", "of ann", "of bob"]);
  const ended = await reader.finish(asked);
  expect(ended.filter(({ status }) => status === "rejected")).toEqual([]);
  expect([reader.most(), reader.copies]).toEqual([3, []]);
});

test("requests of many users have no more copies than there are processes", async () => {
  const reader = openReader(3);
  const asked = Array.from({ length: 30 }, (_, at) => reader.ask(`user ${at}`));
  await reader.finish(asked);
  expect([reader.most(), reader.copies]).toEqual([3, []]);
});

test("a page that the file does not have leaves its place to the next", async () => {
  const reader = openReader(2);
  const asked = [9, 9, 9, 1].map((page) => reader.ask("ann", page));
  const ended = await reader.finish(asked);
  expect(ended.map(({ status }) => status)).toEqual([
    "rejected",
    "rejected",
    "rejected",
    "fulfilled",
  ]);
  expect(ended[0]).toMatchObject({ reason: { code: "page_not_found" } });
});
