import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { chooseIsolation } from "../../platform/isolation/choose-isolation.ts";
import { lackingGuarantees } from "../../platform/isolation/isolation.ts";
import { aSandbox } from "./testing/a-sandbox.ts";

/** `ABANDONED_SESSIONS=1000` asks for all of it, which takes eight minutes. */
const COUNT = Number(process.env["ABANDONED_SESSIONS"] ?? 12);
const USERS = Math.min(50, Math.ceil(COUNT / 2));
const AT_ONCE = 6;
const LEFT = [
  "x = 1",
  "open('a', 'w').write('x' * 10_000)",
  "import time; time.sleep(600)",
];

const isIsolated = lackingGuarantees(await chooseIsolation("auto", tmpdir())).length === 0;

test.skipIf(!isIsolated)(
  "sessions that many users open and abandon leave no process, descriptor or place behind",
  async () => {
    {
      // what all sandboxes of a process share is there before
      await using first = await aSandbox();
      await first.run("1");
      await first.run("1", { language: "javascript" });
    }
    const before = await whatIsHeld();
    const waits: number[] = [];
    {
      await using box = await aSandbox({ size: 8, idleMs: 1_000 });
      let next = 0;
      const abandon = async () => {
        for (let at = next++; at < COUNT; at = next++) {
          const userId = `user-${at % USERS}`;
          const language = at % 4 === 3 ? "javascript" : "python";
          const code = language === "python" ? (LEFT[at % LEFT.length] ?? "") : "for (;;);";
          const signal = AbortSignal.timeout(1_500);
          await box
            .run(code, {
              userId,
              language,
              signal,
              conversationId: crypto.randomUUID(),
            })
            .catch(() => "left, or too many of this user");
        }
      };
      const ask = async () => {
        while (next < COUNT) {
          const begun = performance.now();
          await box.run("1", { userId: "other" });
          waits.push(performance.now() - begun);
        }
      };
      await Promise.all([...Array.from({ length: AT_ONCE }, abandon), ask()]);
      // the idle ones end by themselves
      await expect
        .poll(() => box.sandbox.sessions.state(), { timeout: 30_000 })
        .toEqual({
          sessions: 0,
          running: 0,
          waiting: 0,
        });
    }
    const { descriptors, ...others } = before;
    await expect.poll(whatIsHeld, { timeout: 30_000 }).toMatchObject(others);
    // a session has six; the process itself may open or close one
    expect((await whatIsHeld()).descriptors).toBeLessThanOrEqual(descriptors + 3);
    // the first starts an interpreter in the same moment as all others do
    const [first = 0, ...later] = waits;
    later.sort((one, other) => one - other);
    const at = (share: number) => Math.round(later[Math.floor(later.length * share)] ?? 0);
    console.log(
      `${COUNT} sessions: another user's first call took ${Math.round(first)} ms, ` +
        `${later.length} more ${at(0.5)} ms (median), ${at(0.95)} ms (19 of 20), ` +
        `${Math.round(later.at(-1) ?? 0)} ms (the longest)`,
    );
  },
  COUNT * 2_000 + 120_000,
);

/** Of this process. */
async function whatIsHeld() {
  const children = await readFile(
    `/proc/${process.pid}/task/${process.pid}/children`,
    "utf8",
  );
  const mounts = (await readFile("/proc/self/mountinfo", "utf8")).split("\n");
  return {
    processes: children.split(" ").filter(Boolean).length,
    descriptors: (await readdir("/proc/self/fd")).length,
    mounts: mounts.filter((line) => line.includes("/files")).length,
  };
}
