import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sweep } from "./limit-memory.ts";

test("only the empty groups of processes that ended are removed", async () => {
  const folder = await mkdtemp(join(tmpdir(), "groups-"));
  const ended = spawn(process.execPath, ["--version"], { stdio: "ignore" });
  await once(ended, "exit");
  const kept = [
    `parlance-worker-${process.pid}-00000001`,
    `parlance-worker-${process.ppid}-00000002`,
    "parlance-worker-x",
    "another",
  ];
  for (const name of [...kept, `parlance-worker-${ended.pid}-00000003`])
    await mkdir(join(folder, name));
  await sweep(folder);
  expect((await readdir(folder)).sort()).toEqual(kept.sort());
  await rm(folder, { recursive: true });
});
