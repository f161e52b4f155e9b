import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { getPriority } from "node:os";
import { expect, test } from "vitest";
import { lowerPriority, PRIORITIES } from "./lower-priority.ts";

const groups = existsSync("/proc/self/autogroup");

test("a process steps back, and further when asked", async () => {
  using sleeper = start(false);
  await lowerPriority(sleeper.pid);
  expect(getPriority(sleeper.pid)).toBe(PRIORITIES.below);
  await lowerPriority(sleeper.pid, "last");
  expect(getPriority(sleeper.pid)).toBe(PRIORITIES.last);
});

test.skipIf(!groups)(
  "the group of a process in a session of its own steps back",
  async () => {
    using sleeper = start(true);
    await once(sleeper.child, "spawn");
    await expect.poll(() => groupOf(sleeper.pid)).not.toBe(await groupOf("self"));
    await lowerPriority(sleeper.pid);
    expect(await groupOf(sleeper.pid)).toMatch(
      new RegExp(` nice ${PRIORITIES.below}\\s*$`),
    );
  },
);

test.skipIf(!groups)("the group of the server stays where it is", async () => {
  const before = await groupOf("self");
  using sleeper = start(false);
  await lowerPriority(sleeper.pid, "last");
  expect(await groupOf("self")).toBe(before);
});

test("a process that has ended is no error", async () => {
  const sleeper = start(false);
  sleeper.child.kill("SIGKILL");
  await once(sleeper.child, "exit");
  await expect(lowerPriority(sleeper.pid)).resolves.toBeUndefined();
});

function start(detached: boolean): Disposable & { child: ChildProcess; pid: number } {
  const child = spawn("sleep", ["60"], { stdio: "ignore", detached });
  if (child.pid === undefined) throw new Error("sleep does not start");
  return { child, pid: child.pid, [Symbol.dispose]: () => void child.kill("SIGKILL") };
}

async function groupOf(process: number | "self"): Promise<string> {
  return readFile(`/proc/${process}/autogroup`, "utf8");
}
