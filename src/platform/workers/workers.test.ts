import { existsSync } from "node:fs";
import { join } from "node:path";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { describe, expect, test, vi } from "vitest";
import { ApiError } from "../http/errors.ts";
import type { Task } from "./task.ts";
import type tryTask from "./testing/try-task.ts";
import type { Act } from "./testing/try-task.ts";
import { chooseIsolation } from "../isolation/choose-isolation.ts";
import { createWorkers, type RunOptions, type Workers } from "./workers.ts";

const TASK: Task<typeof tryTask> = {
  file: new URL("./testing/try-task.ts", import.meta.url),
  timeoutMs: 30_000,
  advice: "Make it smaller.",
};
const MEMORY = 256 * 2 ** 20;
const run = (workers: Workers, act: Act, value?: unknown, options?: RunOptions) =>
  workers.run(TASK, { act, value }, options);
const codeOf = (running: Promise<unknown>) =>
  running.then(
    () => "no failure",
    (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
  );

/** Starts a task that never ends; call the result to cancel it. */
function occupy(workers: Workers, userId?: string): () => Promise<string> {
  const leaving = new AbortController();
  const running = codeOf(run(workers, "loop", null, { userId, signal: leaving.signal }));
  return () => {
    leaving.abort();
    return running;
  };
}

test("no process starts before the first task, and one process runs task after task", async () => {
  await using workers = createWorkers({ size: 1 });
  expect(workers.state()).toEqual({ workers: 0, running: 0, waiting: 0 });
  const given = {
    text: "Grüße\f😀",
    bytes: new Uint8Array([0, 255, 7]),
    list: [null, 1.5],
  };
  expect(await run(workers, "echo", given)).toEqual(given);
  expect(await run(workers, "instance")).toBe(await run(workers, "instance"));
  expect(workers.state()).toEqual({ workers: 1, running: 0, waiting: 0 });
});

test("a task over its time is killed with its advice, and the next task runs", async () => {
  await using workers = createWorkers({ size: 1 });
  const short = { ...TASK, timeoutMs: 500 };
  const failure = await workers
    .run(short, { act: "loop" })
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({
    status: 422,
    code: "too_complex",
    message: expect.stringContaining("Make it smaller."),
  });
  expect(await run(workers, "echo", "next")).toBe("next");
});

test.each(["array", "map", "buffers", "recurse", "leave"] as const)(
  "%s ends its worker at most, with too_complex",
  async (act) => {
    await using workers = createWorkers({ size: 1, memoryBytes: MEMORY });
    expect(await codeOf(run(workers, act))).toBe("too_complex");
    expect(await run(workers, "echo", "next")).toBe("next");
  },
);

test("passes on an ApiError of a task unchanged, and any other error as an internal one", async () => {
  await using workers = createWorkers({ size: 1 });
  const refused = await run(workers, "refuse").catch((error: unknown) => error);
  expect(refused).toMatchObject({ status: 400, code: "not_this_way", details: { way: 2 } });
  expect(await codeOf(run(workers, "fail"))).toContain("a mistake of ours");
});

test("cancelling ends a running task and removes a waiting one from the queue", async () => {
  await using workers = createWorkers({ size: 1 });
  const stopFirst = occupy(workers);
  const stopSecond = occupy(workers);
  const third = run(workers, "echo", "third");
  expect(workers.state()).toMatchObject({ running: 1, waiting: 2 });
  expect(await stopSecond()).toBe("request_cancelled");
  expect(workers.state()).toMatchObject({ running: 1, waiting: 1 });
  expect(await stopFirst()).toBe("request_cancelled");
  expect(await third).toBe("third");
  const signal = AbortSignal.abort();
  expect(await codeOf(run(workers, "echo", null, { signal }))).toBe("request_cancelled");
  expect(workers.state()).toMatchObject({ running: 0, waiting: 0 });
});

describe("between users", () => {
  test("one user never holds all workers, and a full queue answers 429 and 503", async () => {
    await using workers = createWorkers({ size: 2, maxPerUser: 3, maxWaiting: 3 });
    const stops = Array.from({ length: 3 }, () => occupy(workers, "greedy"));
    expect(workers.state()).toMatchObject({ running: 1, waiting: 2 });
    const refused = await run(workers, "echo", 1, { userId: "greedy" }).catch(
      (error) => error,
    );
    expect(refused).toMatchObject({
      status: 429,
      code: "too_many_tasks",
      headers: { "retry-after": expect.stringMatching(/^\d+$/) },
    });
    expect(await run(workers, "echo", "mine", { userId: "modest" })).toBe("mine");
    stops.push(occupy(workers, "third"), occupy(workers, "third"));
    const late = occupy(workers, "late"); // takes the place of one of the greedy user's
    expect(await codeOf(run(workers, "echo", 1, { userId: "last" }))).toBe("workers_busy");
    stops.push(late);
    await Promise.all(stops.map((stop) => stop()));
    expect(workers.state()).toMatchObject({ running: 0, waiting: 0 });
  });

  test("users take turns, however many tasks one of them queued before", async () => {
    await using workers = createWorkers({ size: 1 });
    const order: string[] = [];
    const stop = occupy(workers, "greedy");
    const note = (userId: string) =>
      run(workers, "echo", 0, { userId }).then(() => order.push(userId));
    const all = ["greedy", "greedy", "greedy", "modest", "other"].map(note);
    await stop();
    await Promise.all(all);
    expect(order).toEqual(["modest", "other", "greedy", "greedy", "greedy"]);
  });
});

test("a worker reads only code, writes nothing, starts nothing and has no secrets", async () => {
  await using workers = createWorkers({ size: 1 });
  vi.stubEnv("ENCRYPTION_KEY", "planted");
  expect(await run(workers, "read", fileURLToPath(import.meta.url))).toBeGreaterThan(0);
  expect(await codeOf(run(workers, "read", "/etc/hostname"))).toContain("restricted");
  const file = join(tmpdir(), `written-by-a-worker-${process.pid}`);
  expect(await codeOf(run(workers, "write", file))).toContain("restricted");
  expect(existsSync(file)).toBe(false);
  expect(await codeOf(run(workers, "start"))).toContain("restricted");
  expect(await run(workers, "environment")).not.toHaveProperty("ENCRYPTION_KEY");
  vi.unstubAllEnvs();
});

test("a worker has no network where the system can isolate it", async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // it listens
  const { holds } = await chooseIsolation("auto", tmpdir());
  await using workers = createWorkers({ size: 1 });
  const outcome = await run(workers, "connect", port).catch((error: unknown) =>
    String(error),
  );
  if (holds.includes("network")) expect(outcome).toMatch(/ECONNREFUSED|ENETUNREACH/);
  else expect(outcome).toBe("connected");
  server.close();
});

test("idle workers end and start again", async () => {
  await using workers = createWorkers({ size: 1, idleMs: 50 });
  const first = await run(workers, "instance");
  await vi.waitFor(() => expect(workers.state().workers).toBe(0), 90_000);
  expect(await run(workers, "instance")).not.toBe(first);
});

test("closing ends running tasks and refuses new ones", async () => {
  const workers = createWorkers({ size: 1 });
  const running = codeOf(run(workers, "loop"));
  const waiting = codeOf(run(workers, "echo"));
  await vi.waitFor(() => expect(workers.state().workers).toBe(1), 90_000);
  await workers[Symbol.asyncDispose]();
  expect(await running).not.toBe("no failure");
  expect(await waiting).toBe("shutting_down");
  expect(await codeOf(run(workers, "echo"))).toBe("shutting_down");
  expect(workers.state()).toEqual({ workers: 0, running: 0, waiting: 0 });
});
