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
      async take({ free }) {
        looks += 1;
        return due.splice(0, free);
      },
      userOf: (job) => job,
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

test("one user has at most half of the places, however much of that user's is due", async () => {
  let started = 0;
  let held = 0;
  await using loop = startWorkLoop<string>(
    {
      name: "test",
      most: 4,
      async take(room) {
        held = room.held.get("eve") ?? 0;
        return held < room.perUser ? [`eve ${(started += 1)}`] : [];
      },
      userOf: (job) => job.split(" ")[0] ?? "",
      work: (_, signal) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
      renew: async (jobs) => new Set(jobs.keys()),
    },
    silentLog(),
  );
  await vi.waitFor(() => {
    loop.look();
    expect(held).toBe(2);
  }, 5_000);
  loop.look();
  await vi.waitFor(() => expect(started).toBe(2), 5_000);
});
