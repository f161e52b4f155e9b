import { spawn } from "node:child_process";
import { getPriority } from "node:os";
import { expect, test } from "vitest";
import { PRIORITIES } from "../../platform/isolation/lower-priority.ts";
import { watch } from "./watch-processes.ts";

const LIMITS = { processorMs: 60_000, callMs: 60_000, memoryBytes: 2 ** 30 };

test.skipIf(process.platform !== "linux")(
  "a call that takes the processor for long steps back, and one that waits does not",
  async () => {
    using busy = start("for (;;);");
    using waiting = start("setTimeout(() => {}, 60_000)");
    {
      using _ = await watch(busy.pid, LIMITS, () => {});
      using __ = await watch(waiting.pid, LIMITS, () => {});
      await expect
        .poll(() => getPriority(busy.pid), { timeout: 30_000 })
        .toBe(PRIORITIES.last);
      expect(getPriority(waiting.pid)).toBe(0);
    }
    // where that is permitted, its next call begins where all begin
    await expect
      .poll(() => getPriority(busy.pid), { timeout: 30_000 })
      .toBe(process.getuid?.() === 0 ? PRIORITIES.below : PRIORITIES.last);
  },
);

function start(code: string): Disposable & { pid: number } {
  const child = spawn(process.execPath, ["-e", code], { stdio: "ignore" });
  if (child.pid === undefined) throw new Error("node does not start");
  return { pid: child.pid, [Symbol.dispose]: () => void child.kill("SIGKILL") };
}
