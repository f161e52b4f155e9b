import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { workingIsolations } from "../isolation/testing/working-isolations.ts";
import type { Task } from "./task.ts";
import type useFolder from "./testing/use-folder.ts";
import { createWorkers } from "./workers.ts";

const TASK: Task<typeof useFolder> = {
  file: new URL("./testing/use-folder.ts", import.meta.url),
  timeoutMs: 30_000,
  advice: "Make it smaller.",
};
const mountPoint = await mkdtemp(join(tmpdir(), "worker-folder-mount-"));
const isolations = await workingIsolations(mountPoint);
let folders: string;
beforeAll(async () => {
  // a process of another user goes through it, and cannot list it
  folders = await mkdtemp("/tmp/worker-folder-");
  await chmod(folders, 0o711);
});
afterAll(async () => {
  await rm(folders, { recursive: true, force: true });
  await rm(mountPoint, { recursive: true, force: true });
});

test.each([...isolations])(
  "a worker reads and writes a folder of its own, which is empty for the next task: %s",
  async (_, isolation) => {
    await using workers = createWorkers({ size: 1, isolation, folders });
    let taken = "";
    const first = await workers.run(
      TASK,
      { write: "result" },
      {
        folder: {
          fill: (folder) => writeFile(join(folder, "given"), "input", { mode: 0o644 }),
          async take(folder) {
            taken = await readFile(join(folder, "written"), "utf8");
          },
        },
      },
    );
    expect(first.found).toEqual([["given", "input"]]);
    expect(taken).toBe("result");
    const next = await workers.run(TASK, {});
    expect(next).toMatchObject({ folder: first.folder, found: [] });
  },
);

test("a worker whose folder cannot be emptied runs no other task", async () => {
  await using workers = createWorkers({ size: 1, folders });
  const first = await workers.run(
    TASK,
    {},
    {
      folder: {
        fill: async () => {},
        async take(folder) {
          await rm(folder, { recursive: true });
          await writeFile(folder, "no folder");
        },
      },
    },
  );
  expect((await workers.run(TASK, {})).folder).not.toBe(first.folder);
});

test.each([...isolations].filter(([, { holds }]) => holds.includes("files")))(
  "a worker sees the folder of no other worker: %s",
  async (_, isolation) => {
    await using workers = createWorkers({ size: 1, isolation, folders });
    await using neighbours = createWorkers({ size: 1, isolation, folders });
    const { folder: other } = await neighbours.run(TASK, { write: "secret" });
    expect((await workers.run(TASK, { other })).seesOther).toBe(false);
    expect((await workers.run(TASK, { other: folders })).seesOther).toBe(false);
  },
);

test("the folder goes with its worker", async () => {
  const workers = createWorkers({ size: 1, folders });
  const { folder } = await workers.run(TASK, { write: "x" });
  await workers[Symbol.asyncDispose]();
  await expect.poll(() => readdir(folder).catch(() => "gone")).toBe("gone");
});
