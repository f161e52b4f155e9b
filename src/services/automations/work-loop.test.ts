import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { silentLog } from "../../platform/telemetry/log.ts";
import { startWorkLoop } from "./work-loop.ts";

test("work is looked for at the start, when it is told of and when a job ends, and not by itself", async () => {
  const due = ["first", "second", "third"];
  let looks = 0;
  const done: string[] = [];
  await using loop = startWorkLoop<string>(
    {
      name: "test",
      most: 2,
      async take(most) {
        looks += 1;
        return due.splice(0, most);
      },
      async work(job) {
        await sleep(10);
        done.push(job);
      },
      renew: async (jobs) => new Set(jobs.keys()),
    },
    silentLog(),
  );
  await vi.waitFor(() => expect(done).toEqual(["first", "second", "third"]), 5_000);
  await sleep(100);
  looks = 0;
  await sleep(2_500);
  expect(looks).toBe(0);
  due.push("fourth");
  loop.look();
  await vi.waitFor(() => expect(done).toContain("fourth"), 5_000);
  due.push("fifth");
  loop.wake();
  await vi.waitFor(() => expect(done).toContain("fifth"), 5_000);
});
