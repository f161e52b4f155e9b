import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  BUCKET,
  type FakeS3,
  S3_KEYS,
  startFakeS3,
} from "../../../test/support/fake-s3.ts";
import { diskFiles, removeParts } from "./disk-files.ts";
import type { Files } from "./files.ts";
import { createS3 } from "./s3-client.ts";
import { s3Files } from "./s3-files.ts";

let s3: FakeS3;
let folder: string;
const kinds: Record<string, () => Files> = {
  disk: () => diskFiles(folder),
  s3: () => s3Files(client(), "parlance/"),
};
const client = (secretAccessKey = S3_KEYS.secretAccessKey) =>
  createS3(
    {
      endpoint: s3.url,
      region: "eu-central-1",
      bucket: BUCKET,
      ...S3_KEYS,
      secretAccessKey,
    },
    fetch,
  );
beforeAll(async () => {
  s3 = await startFakeS3();
  folder = await mkdtemp(join(tmpdir(), "files-"));
});
afterAll(async () => {
  await s3[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const LARGE = 20 * 2 ** 20 + 17;
async function* bytes(total: number, piece = 64 * 1024): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < total; from += piece)
    yield new Uint8Array(Math.min(piece, total - from)).fill(from / piece);
}
async function* failing(): AsyncGenerator<Uint8Array> {
  yield* bytes(LARGE);
  throw new Error("the uploader left");
}
const whole = async (stream: ReadableStream<Uint8Array>) =>
  Buffer.from(await new Response(stream).arrayBuffer());
const collect = async (pieces: AsyncIterable<Uint8Array>) =>
  Buffer.concat(await Array.fromAsync(pieces));

describe.each(Object.keys(kinds))("%s", (kind) => {
  const files = () => (kinds[kind] as () => Files)(); // each name is one of the kinds

  test.each([0, 1, 100_000, LARGE])(
    "%i bytes come back as they were stored, whole and from the start",
    async (size) => {
      const stored = await files().write("documents/one.bin", bytes(size), {
        maxBytes: LARGE,
      });
      const expected = await collect(bytes(size));
      expect(stored).toEqual({
        size,
        sha256: createHash("sha256").update(expected).digest("hex"),
      });
      expect((await whole(await files().read("documents/one.bin"))).equals(expected)).toBe(
        true,
      );
      expect(
        Buffer.from(await files().readStart("documents/one.bin", 10)).equals(
          expected.subarray(0, 10),
        ),
      ).toBe(true);
    },
  );

  test("a range of a file is read alone", async () => {
    await files().write("documents/ranged", bytes(LARGE), { maxBytes: LARGE });
    const expected = await collect(bytes(LARGE));
    for (const range of [
      { start: 0, end: 0 },
      { start: 65_000, end: 9_000_000 },
      { start: LARGE - 17, end: LARGE - 1 },
    ]) {
      const read = await whole(await files().read("documents/ranged", range));
      expect(read.equals(expected.subarray(range.start, range.end + 1))).toBe(true);
    }
  });

  test("a body that is too large or breaks off stores nothing and keeps the existing file", async () => {
    await files().write("documents/kept", bytes(3), { maxBytes: 10 });
    await expect(
      files().write("documents/kept", bytes(LARGE), { maxBytes: LARGE - 1 }),
    ).rejects.toMatchObject({
      code: "file_too_large",
    });
    await expect(
      files().write("documents/new", failing(), { maxBytes: 2 * LARGE }),
    ).rejects.toThrow("the uploader left");
    expect((await whole(await files().read("documents/kept"))).length).toBe(3);
    await expect(files().read("documents/new")).rejects.toMatchObject({
      code: "file_missing",
    });
    expect(s3.open.size).toBe(0);
    expect(
      (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".part")),
    ).toEqual([]);
  });

  test("deletes a file, and deletes idempotently", async () => {
    await files().write("documents/gone", bytes(3), { maxBytes: 10 });
    await files().delete("documents/gone");
    await files().delete("documents/gone");
    await expect(files().readStart("documents/gone", 5)).rejects.toMatchObject({
      code: "file_missing",
    });
  });
});

test("s3: a request to a busy store is repeated, and a store that stays busy is a temporary error", async () => {
  s3.fail(2);
  await client().put("busy", new Uint8Array(1));
  s3.fail(3);
  await expect(client().put("busy", new Uint8Array(1))).rejects.toMatchObject({
    status: 503,
    code: "storage_failed",
  });
});

test("s3: wrong keys are an error of their own, not a missing file", async () => {
  await expect(client("wrong").get("any")).rejects.toMatchObject({
    code: "storage_refused",
  });
});

test("s3: keys of a prefix are listed in order, from a key on", async () => {
  for (const name of ["in/b & c", "in/a", "in/d", "other"])
    await client().put(name, new Uint8Array(2));
  const listed = await client().list("in/");
  expect(listed.map(({ key }) => key)).toEqual(["in/a", "in/b & c", "in/d"]);
  expect(listed[0]).toMatchObject({ size: 2, etag: expect.stringMatching(/^"\w{32}"$/) });
  expect((await client().list("in/", "in/a")).map(({ key }) => key)).toEqual([
    "in/b & c",
    "in/d",
  ]);
});

test("old parts of a killed process are removed; recent parts and complete files stay", async () => {
  const folder = await mkdtemp(join(tmpdir(), "parlance-parts-"));
  await mkdir(join(folder, "documents"));
  for (const name of ["a.0011.part", "b.0022.part", "c"])
    await writeFile(join(folder, "documents", name), name);
  await utimes(join(folder, "documents", "a.0011.part"), 1_000, 1_000);
  await removeParts(folder, Date.now() - 60_000);
  expect((await readdir(join(folder, "documents"))).toSorted()).toEqual([
    "b.0022.part",
    "c",
  ]);
  await rm(folder, { recursive: true });
});
