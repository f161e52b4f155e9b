import { randomBytes } from "node:crypto";
import { mkdtemp, open, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openVectorFile } from "./vector-file.ts";

const BYTES = 1_000;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vector-file-"));
});
afterAll(() => rm(folder, { recursive: true }));

function write(path: string, blocks: readonly Buffer[]): void {
  const file = openVectorFile(path, "words", BYTES);
  for (const [number, block] of blocks.entries()) file.write(number, block);
  file.close();
}
function read(path: string, content = "words", bytes = BYTES) {
  const file = openVectorFile(path, content, bytes);
  const blocks = [...file.read()];
  file.close();
  return blocks;
}
const threeBlocks = () => [1, 2, 3].map(() => randomBytes(BYTES));

test("gives back what was written, also over what was there", async () => {
  const path = join(folder, "same");
  const [one, two, three] = threeBlocks();
  write(path, [one, two, three] as Buffer[]);
  write(path, [three] as Buffer[]);
  expect(read(path)).toEqual([three, two, three]);
  // it is of what people wrote
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("a block that was written in part is absent, and the others are not", async () => {
  const path = join(folder, "torn");
  const [one, two, three] = threeBlocks();
  write(path, [one, two, three] as Buffer[]);
  await truncate(path, (await stat(path)).size - 500);
  const file = await open(path, "r+");
  await file.write(randomBytes(10), 0, 10, 4_096 + 100);
  await file.close();
  expect(read(path)).toEqual([undefined, two, undefined]);
});

test("a file of other contents is made again", async () => {
  const path = join(folder, "other");
  for (const [content, bytes] of [
    ["another model", BYTES],
    ["words", BYTES + 4],
  ] as const) {
    write(path, threeBlocks());
    expect(read(path, content, bytes)).toEqual([]);
    expect((await readFile(path)).byteLength).toBe(4_096);
  }
  await writeFile(path, "no vectors at all");
  expect(read(path)).toEqual([]);
});
