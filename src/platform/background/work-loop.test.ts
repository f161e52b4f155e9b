import { afterEach, expect, test, vi } from "vitest";
import { silentLog } from "../telemetry/log.ts";
import { createWorkLoop, LEASE_LOST, STOPPING } from "./work-loop.ts";

const HOUR_MS = 3_600_000;
afterEach(() => vi.useRealTimers());

test("looks for jobs at its start, when it is called and when a job ends, and never by itself", async () => {
  vi.useFakeTimers();
  const due = ["first", "second", "third"];
  let looks = 0;
  const done: string[] = [];
  await using loop = createWorkLoop<string>(
    {
      name: "test",
      maxConcurrent: 2,
      async take({ free }) {
        looks += 1;
        return due.splice(0, free);
      },
      userOf: (job) => job,
      async work(job) {
        done.push(job);
      },
      renew: async (jobs) => new Set(jobs.keys()),
    },
    silentLog(),
  );
  loop.start();
  await vi.waitFor(() => expect(done).toEqual(["first", "second", "third"]), 90_000);
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  looks = 0;
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(looks).toBe(0);
  due.push("fourth");
  loop.look();
  await vi.waitFor(() => expect(done).toContain("fourth"), 90_000);
  due.push("fifth");
  loop.wake();
  await vi.waitFor(() => expect(done).toContain("fifth"), 90_000);
});

test("a job whose lease is lost is stopped, and the others go on", async () => {
  vi.useFakeTimers();
  const due = ["kept", "lost"];
  const reasons: [string, unknown][] = [];
  const loop = createWorkLoop<string>(
    {
      name: "test",
      maxConcurrent: 4,
      take: async ({ free }) => due.splice(0, free),
      userOf: (job) => job,
      work: (job, signal) =>
        new Promise((resolve) =>
          signal.addEventListener("abort", () => {
            reasons.push([job, signal.reason]);
            resolve();
          }),
        ),
      renew: async (jobs) =>
        new Set(jobs.flatMap((job, index) => (job === "kept" ? [index] : []))),
    },
    silentLog(),
  );
  loop.start();
  await vi.advanceTimersByTimeAsync(HOUR_MS);
  expect(reasons).toEqual([["lost", LEASE_LOST]]);
  await loop[Symbol.asyncDispose]();
  expect(reasons.at(1)).toEqual(["kept", STOPPING]);
});

test("renews its own leases before it looks for jobs, after a pause in which they ended", async () => {
  vi.useFakeTimers();
  let leaseUntil = 0;
  const claimed: string[] = [];
  await using loop = createWorkLoop<string>(
    {
      name: "test",
      maxConcurrent: 4,
      async take() {
        if (performance.now() < leaseUntil) return [];
        leaseUntil = performance.now() + 30_000;
        claimed.push("job");
        return ["job"];
      },
      userOf: (job) => job,
      work: (_, signal) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
      async renew(jobs) {
        if (jobs.length > 0) leaseUntil = performance.now() + 30_000;
        return new Set(jobs.keys());
      },
    },
    silentLog(),
  );
  loop.start();
  await vi.advanceTimersByTimeAsync(1);
  // time passes, and no timer runs
  vi.setSystemTime(Date.now() + 60_000);
  const paused = performance.now() + 60_000;
  vi.spyOn(performance, "now").mockImplementation(() => paused);
  loop.look();
  await vi.advanceTimersByTimeAsync(1);
  vi.restoreAllMocks();
  expect(claimed).toEqual(["job"]);
});

test("gives one user at most half of the places", async () => {
  let started = 0;
  let held = 0;
  await using loop = createWorkLoop<string>(
    {
      name: "test",
      maxConcurrent: 4,
      async take(capacity) {
        held = capacity.held.get("eve") ?? 0;
        return held < capacity.maxPerUser ? [`eve ${(started += 1)}`] : [];
      },
      userOf: (job) => job.split(" ")[0] ?? "",
      work: (_, signal) =>
        new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
      renew: async (jobs) => new Set(jobs.keys()),
    },
    silentLog(),
  );
  loop.start();
  await vi.waitFor(() => {
    loop.look();
    expect(held).toBe(2);
  }, 90_000);
  loop.look();
  await vi.waitFor(() => expect(started).toBe(2), 90_000);
});
