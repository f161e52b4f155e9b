import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { notIsolated } from "../../../platform/isolation/isolation.ts";
import { watchdogLimit } from "../../../platform/workers/memory-limit.ts";
import { tesseract } from "./tesseract.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlance-ocr-"));
  const command = join(folder, "tesseract");
  // it says which picture it reads, and takes a while
  await writeFile(
    command,
    `#!/bin/sh
if [ "$1" = --list-langs ]; then printf 'List:\\neng\\n'; exit 0; fi
cat | tee -a '${folder}/log'
sleep 0.2
`,
  );
  await chmod(command, 0o755);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const openHere = (processes: number) =>
  tesseract({
    command: join(folder, "tesseract"),
    languages: ["eng"],
    timeoutMs: 30_000,
    processes,
    memory: watchdogLimit(2 ** 30),
    isolation: notIsolated,
  });

test("users take turns: one with many pages does not hold up another's only one", async () => {
  const engine = await openHere(2);
  const read = (userId: string, page: number, signal = new AbortController().signal) =>
    engine.read(
      { bytes: Buffer.from(`${userId}${page} `), mimeType: "image/png" },
      { userId, signal },
    );
  const left = new AbortController();
  const many = [0, 1, 2, 3, 4, 5].map((page) =>
    read("a", page, page === 5 ? left.signal : undefined),
  );
  const gone = expect(many[5]).rejects.toMatchObject({ status: 499 });
  const only = read("b", 0);
  left.abort();
  expect(await only).toBe("b0");
  await Promise.all([...many.slice(0, 5), gone]);
  const order = (await readFile(join(folder, "log"), "utf8")).trim().split(" ");
  expect(order).toHaveLength(6);
  expect(order.indexOf("b0")).toBeLessThan(3);
});
