import { Registry } from "prom-client";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { Database } from "../db/database.ts";
import { type Leases, openLeases } from "../lease/leases.ts";
import { createLog, silentLog } from "../telemetry/log.ts";
import { testDatabase } from "../testing/database.ts";
import type { Delivery, Queue } from "../queue/queue.ts";
import type { Job } from "./job.ts";
import { createJobMonitor } from "./job-monitor.ts";
import { type Background, createBackground } from "./start-background.ts";

let db: Database;
let shared: Database;
let leases: Leases;
beforeAll(async () => {
  db = await testDatabase();
  // processes of a test use one database, as they do on a server
  shared = Object.create(db, { isEmbedded: { value: false } });
  leases = await openLeases({ db, log: silentLog() });
});
afterAll(() => db[Symbol.asyncDispose]());

const HOUR_MS = 3_600_000;
const CORE = { name: "core" };
const running: Background[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((background) => background.stop()));
});

const signalOf = () => new AbortController().signal;

function aProcess(db = shared) {
  const registry = new Registry();
  const lines: string[] = [];
  const log = createLog({ level: "warn", name: "test", write: (line) => lines.push(line) });
  const monitor = createJobMonitor(registry);
  const background = createBackground({ db, queue: undefined, leases, monitor });
  running.push(background);
  const start = (...jobs: Job[]) =>
    background.start([{ definition: CORE, service: { jobs }, log }]);
  return { background, monitor, registry, lines, start };
}

function aJob(job: Partial<Job>): Job {
  return {
    name: "tidy",
    intervalMs: HOUR_MS,
    replicas: "each",
    onFailure: "it is tidied at the next run. Check the database.",
    run: async () => {},
    ...job,
  };
}

test.runIf(process.env["DATABASE_URL"] === undefined)(
  "the one process of an embedded database runs what one replica runs without a lease",
  async () => {
    const take = vi.spyOn(leases, "take");
    const run = vi.fn(async () => {});
    await aProcess(db).start(aJob({ replicas: "one", atStart: { waitMs: 90_000 }, run }));
    expect(run).toHaveBeenCalledOnce();
    expect(take).not.toHaveBeenCalled();
    take.mockRestore();
  },
);

test("what judges the silence of others does not run right after its own process stood still", async () => {
  const runs: string[] = [];
  const job = (name: string, more: Partial<Job>) =>
    aJob({ name, intervalMs: 100, run: async () => void runs.push(name), ...more });
  await aProcess().start(job("recover", { judgesSilence: true }), job("tidy", {}));
  await vi.waitFor(
    () => expect(runs).toEqual(expect.arrayContaining(["recover", "tidy"])),
    90_000,
  );
  runs.length = 0;
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_500);
  await vi.waitFor(() => {
    expect(runs).toContain("recover");
    // it went on meanwhile
    expect(runs.filter((name) => name === "tidy").length).toBeGreaterThan(1);
  }, 90_000);
  expect(runs.indexOf("tidy")).toBeLessThan(runs.indexOf("recover"));
});

test("a message without a signature reaches only consumers that limit what it can do", async () => {
  const handled: string[] = [];
  const refused: unknown[] = [];
  const delivery = { id: "1", attempt: 1, data: {}, isOwn: false, signal: signalOf() };
  const queue: Pick<Queue, "consume"> = {
    async consume(name, handler) {
      await handler({ ...delivery, isOwn: true });
      await handler(delivery).catch((error: unknown) => refused.push(error));
      return { [Symbol.asyncDispose]: async () => void name };
    },
  };
  const consumers = ["deletes", "limits"].map((name) => ({
    queue: name,
    foreign: name === "limits",
    handle: async ({ isOwn }: Delivery) => void handled.push(`${name} ${isOwn}`),
  }));
  const startAll = async (refuseForeign: boolean) => {
    const monitor = createJobMonitor(new Registry());
    const deps = { db, queue: queue as Queue, leases, refuseForeign, monitor };
    const background = createBackground(deps);
    running.push(background);
    await background.start([
      { definition: CORE, service: { consumers }, log: silentLog() },
    ]);
  };
  await startAll(false);
  expect(handled.splice(0)).toEqual(["deletes true", "limits true", "limits false"]);
  expect(refused.splice(0)).toMatchObject([{ code: "message_unsigned" }]);
  await startAll(true);
  expect(handled).toEqual(["deletes true", "limits true"]);
  expect(refused).toHaveLength(2);
});

test("a job runs again after its interval, and never twice at once", async () => {
  let inside = 0;
  let highest = 0;
  let runs = 0;
  const run = async () => {
    inside += 1;
    highest = Math.max(highest, inside);
    await new Promise((resolve) => setImmediate(resolve));
    inside -= 1;
    runs += 1;
  };
  await aProcess().start(aJob({ intervalMs: 1, run }));
  await vi.waitFor(() => expect(runs).toBeGreaterThan(3), 90_000);
  expect(highest).toBe(1);
});

test("a failure is logged with what to do, counted, and does not end the job", async () => {
  const { start, lines, monitor, registry } = aProcess();
  let runs = 0;
  const run = async () => {
    runs += 1;
    if (runs === 1) throw new Error("the disk is full");
  };
  await start(aJob({ intervalMs: 1, run, atStart: { waitMs: 10_000 } }));
  await vi.waitFor(
    () => expect(monitor.statuses()[0]).toMatchObject({ status: "ok" }),
    90_000,
  );
  expect(monitor.statuses()[0]).toMatchObject({
    service: "core",
    name: "tidy",
    failures: 1,
    lastRunAt: expect.any(String),
    lastDurationMs: expect.any(Number),
  });
  expect(JSON.parse(lines[0] ?? "{}")).toMatchObject({
    job: "tidy",
    msg: "tidy failed: it is tidied at the next run. Check the database.",
    err: { message: "the disk is full" },
  });
  const metrics = await registry.metrics();
  expect(metrics).toContain('job_failures_total{service="core",job="tidy"} 1');
  expect(metrics).toContain('job_duration_seconds_count{service="core",job="tidy"}');
  expect(metrics).toContain('job_last_run_timestamp_seconds{service="core",job="tidy"}');
});

test("a job of one replica is skipped while another process runs it", async () => {
  const [first, second] = [aProcess(), aProcess()];
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  let started = 0;
  const run = async () => {
    started += 1;
    await mayEnd;
  };
  const job = aJob({ name: "once", replicas: "one", run, atStart: { waitMs: 0 } });
  await first.start(job);
  await vi.waitFor(() => expect(started).toBe(1), 90_000);
  await second.start({ ...job, atStart: { waitMs: HOUR_MS } });
  expect(started).toBe(1);
  expect(second.monitor.statuses()[0]).toMatchObject({ status: "waiting", runs: 0 });
  end();
  await vi.waitFor(
    () => expect(first.monitor.statuses()[0]).toMatchObject({ runs: 1 }),
    90_000,
  );
  const third = aProcess();
  await third.start({ ...job, atStart: { waitMs: HOUR_MS } });
  expect(started).toBe(2);
});

test("the start waits for a first run, and only a required one can stop it", async () => {
  const fails = async () => {
    throw new Error("the file is not JSON");
  };
  const atStart = { waitMs: HOUR_MS };
  await aProcess().start(aJob({ run: fails, atStart }));
  const required = aJob({ run: fails, atStart: { ...atStart, required: true } });
  await expect(aProcess().start(required)).rejects.toThrow("the file is not JSON");
});

test("a stop aborts a run, waits for its end, and counts no failure", async () => {
  const { background, monitor, start } = aProcess();
  let ended = false;
  const run = async (signal: AbortSignal) => {
    await new Promise((resolve) =>
      signal.addEventListener("abort", resolve, { once: true }),
    );
    ended = true;
    throw new Error("aborted");
  };
  await start(aJob({ run, atStart: { waitMs: 0 } }));
  await vi.waitFor(() => expect(monitor.statuses()[0]?.lastRunAt).not.toBeNull(), 90_000);
  await background.stop();
  expect(ended).toBe(true);
  expect(monitor.statuses()[0]).toMatchObject({ failures: 0 });
});

test("a service that uses a store without declaring it stops the start", async () => {
  const { background, monitor } = aProcess();
  const consumers = [{ queue: "jobs", handle: async () => {} }];
  const part = { definition: CORE, service: { consumers }, log: silentLog() };
  await expect(background.start([part])).rejects.toThrow('add "queue"');
  expect(monitor.statuses()).toEqual([]);
});
