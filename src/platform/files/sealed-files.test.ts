import { randomBytes } from "node:crypto";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { encryptAll } from "../../commands/encrypt-files.ts";
import { diskFiles } from "./disk-files.ts";
import { sealedFiles } from "./sealed-files.ts";

const [KEY, OTHER] = [1, 2].map((value) => Buffer.alloc(32, value).toString("base64")) as [
  string,
  string,
];
const SEGMENT = 64 * 1024;
/** Around the borders of segments, where a content ends with a whole one too. */
const SIZES = [0, 1, 10, SEGMENT - 1, SEGMENT, SEGMENT + 1, 2 * SEGMENT, 300_001];
const MAX = { maxBytes: 1_000_000 };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sealed-"));
});
afterEach(() => rm(folder, { recursive: true }));

const files = (...keys: string[]) => sealedFiles(diskFiles(folder), keys);
/** Odd pieces, and one memory that is written again for each, as some readers do. */
async function* pieces(content: Buffer): AsyncGenerator<Uint8Array> {
  const memory = Buffer.alloc(7_777);
  for (let at = 0; at < content.length; at += memory.length)
    yield memory.subarray(0, content.copy(memory, 0, at));
}
const whole = async (stream: ReadableStream<Uint8Array>) =>
  Buffer.from(await new Response(stream).arrayBuffer());
const stored = (key: string) => readFile(join(folder, key));

describe.each(SIZES)("%i bytes", (size) => {
  const content = randomBytes(size);

  test("come back whole, from the start and by every kind of range, and are not in the storage", async () => {
    const { size: counted } = await files(KEY).write("a/b", pieces(content), MAX);
    expect(counted).toBe(size);
    expect((await whole(await files(KEY).read("a/b"))).equals(content)).toBe(true);
    for (const bytes of [1, 100, SEGMENT, SEGMENT + 1, 2 * size + 1]) {
      const start = await files(KEY).readStart("a/b", bytes);
      expect(Buffer.from(start).equals(content.subarray(0, bytes))).toBe(true);
    }
    const borders = [0, 1, SEGMENT - 1, SEGMENT, SEGMENT + 1, size - 1].filter(
      (at) => at >= 0 && at < size,
    );
    for (const start of borders)
      for (const end of borders.filter((at) => at >= start)) {
        const read = await whole(await files(KEY).read("a/b", { start, end }));
        expect(read.equals(content.subarray(start, end + 1))).toBe(true);
      }
    if (size >= 10)
      expect((await stored("a/b")).includes(content.subarray(0, 10))).toBe(false);
  });

  test("are refused when a byte is changed, or the end is cut off", async () => {
    await files(KEY).write("a", pieces(content), MAX);
    const sealed = await stored("a");
    const changed = [
      ...[60, sealed.length - 1].map((at) => flip(sealed, at)),
      sealed.subarray(0, -1),
      // whole segments are gone
      ...(size > SEGMENT ? [sealed.subarray(0, 56 + SEGMENT + 16)] : []),
      sealed.subarray(0, 56),
    ];
    for (const bytes of changed) {
      await writeFile(join(folder, "a"), bytes);
      await expect(files(KEY).read("a").then(whole)).rejects.toMatchObject({
        code: "stored_file_damaged",
      });
    }
  });
});

function flip(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}

test("a file of another name in its place is refused", async () => {
  await files(KEY).write("mine", pieces(Buffer.from("mine")), MAX);
  await cp(join(folder, "mine"), join(folder, "yours"));
  await expect(files(KEY).read("yours").then(whole)).rejects.toMatchObject({
    code: "stored_file_damaged",
  });
});

test("a body that is too large stores nothing", async () => {
  const body = pieces(Buffer.alloc(11));
  await expect(files(KEY).write("a", body, { maxBytes: 10 })).rejects.toMatchObject({
    code: "file_too_large",
  });
  await expect(files(KEY).read("a")).rejects.toMatchObject({ code: "file_missing" });
});

test("a file from before the key is read as it is, whole and in part", async () => {
  const content = randomBytes(100_000);
  await files().write("a", pieces(content), MAX);
  expect((await stored("a")).equals(content)).toBe(true);
  expect((await whole(await files(KEY).read("a"))).equals(content)).toBe(true);
  const range = await whole(await files(KEY).read("a", { start: 5, end: 70_000 }));
  expect(range.equals(content.subarray(5, 70_001))).toBe(true);
  expect(await files(KEY).readStart("a", 10)).toEqual(
    new Uint8Array(content.subarray(0, 10)),
  );
});

test.each([[[]], [[OTHER]]])(
  "a file of a key that is not among %j says so",
  async (keys) => {
    await files(KEY).write("a", pieces(Buffer.from("secret")), MAX);
    const tries = [
      () => files(...keys).read("a"),
      () => files(...keys).read("a", { start: 0, end: 1 }),
      () => files(...keys).readStart("a", 5),
    ];
    for (const attempt of tries)
      await expect(attempt()).rejects.toMatchObject({
        status: 503,
        code: "file_key_missing",
      });
  },
);

test("a key that is not 32 bytes is refused at the start", () => {
  expect(() => files("c2hvcnQ=")).toThrow("must be 32 bytes");
});

test("a reader that stops early closes the file below", async () => {
  await files(KEY).write("a", pieces(randomBytes(300_000)), MAX);
  let isClosed = false;
  const watched = {
    ...diskFiles(folder),
    read: async () =>
      ReadableStream.from(
        (async function* () {
          try {
            yield await stored("a");
            yield new Uint8Array();
          } finally {
            isClosed = true;
          }
        })(),
      ),
  };
  for await (const _piece of await sealedFiles(watched, [KEY]).read("a")) break;
  expect(isClosed).toBe(true);
});

test("all files are encrypted afterwards, those of an earlier key with the new one, and once", async () => {
  const content = Buffer.from("words of before");
  await files().write("documents/plain", pieces(content), MAX);
  await files(OTHER).write("documents/earlier", pieces(content), MAX);
  await files(KEY).write("media/new", pieces(content), MAX);
  const both = files(KEY, OTHER);
  expect(await encryptAll(both, () => {})).toEqual({ encrypted: 2, before: 1, failed: 0 });
  expect(await encryptAll(both, () => {})).toEqual({ encrypted: 0, before: 3, failed: 0 });
  for (const key of ["documents/plain", "documents/earlier", "media/new"]) {
    expect((await whole(await files(KEY).read(key))).equals(content)).toBe(true);
    expect((await stored(key)).includes("words")).toBe(false);
  }
});
