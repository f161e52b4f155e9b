import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { held } from "../../../test/support/held.ts";
import { ApiError } from "../http/errors.ts";
import { notIsolated } from "../isolation/isolation.ts";
import { workingIsolations } from "../isolation/testing/working-isolations.ts";
import { limitMemory } from "./limit-memory.ts";
import { type MemoryLimit, watchdogLimit } from "./memory-limit.ts";
import { startTestWorker, TRY } from "./testing/test-worker.ts";
import type { shout, Act } from "./testing/try-task.ts";
import { SHARED_ERRORS, type WorkerErrors } from "./worker-errors.ts";
import { createWorkers, type Workers, type WorkersOptions } from "./workers.ts";

const MEMORY = 300 * 2 ** 20;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlance-workers-"));
});
afterAll(() => rm(folder, { recursive: true }));

const errors: WorkerErrors = {
  ...SHARED_ERRORS,
  crashed: (_, cause) => new ApiError(422, "it_crashed", "It crashed.", { cause }),
};
const pool = (more: WorkersOptions = {}): Workers =>
  createWorkers({
    size: 1,
    isolation: notIsolated,
    memory: watchdogLimit(MEMORY),
    memoryBytes: MEMORY,
    heapBytes: MEMORY * 0.4,
    errors,
    ...more,
  });

const failure = (running: Promise<unknown>) =>
  running.then(
    () => "no failure",
    (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
  );
const run = (workers: Workers, act: Act, value: unknown = null, path?: string) =>
  workers.run(TRY, { act, value }, { path });

test("a worker has no variable of the server's, in every isolation", async () => {
  const secrets = { ENCRYPTION_KEY: "planted", DATABASE_URL: "postgres://planted" };
  for (const [name, value] of Object.entries(secrets)) vi.stubEnv(name, value);
  const isolations = await workingIsolations(folder);
  for (const isolation of [notIsolated, ...isolations.values()]) {
    await using workers = pool({ isolation });
    const seen = JSON.stringify(await run(workers, "environment"));
    expect(seen).not.toMatch(/planted|SECRET|_KEY|_URL|PASSWORD/);
  }
  vi.unstubAllEnvs();
});

const limits: [string, () => Promise<MemoryLimit>][] = [
  ["what this machine has", () => limitMemory(MEMORY)],
  ["a watchdog", async () => watchdogLimit(MEMORY)],
];
describe.each(limits)("under %s", (_, limit) => {
  test.each(["buffers", "array"] as const)(
    "%s ends only its own process, and the next task runs",
    async (act) => {
      await using workers = pool({ memory: await limit() });
      expect(await failure(run(workers, act))).toBe("too_complex");
      expect(await run(workers, "echo", "next")).toBe("next");
      held("memory");
    },
  );
});

test("watches the memory itself when the system refuses a limit", async () => {
  const refusing: MemoryLimit = {
    kind: "cgroup",
    hold: () => Promise.reject(new Error("refused")),
  };
  await using workers = pool({ memory: refusing });
  expect(await failure(run(workers, "buffers"))).toBe("too_complex");
});

test.each([
  ["crash", "it_crashed"],
  ["leave", "it_crashed"],
  ["throwLater", "it_crashed"],
] as const)("%s fails as %s, and the next task is done", async (act, code) => {
  await using workers = pool();
  expect(await failure(run(workers, act))).toBe(code);
  expect(await run(workers, "echo", "next")).toBe("next");
});

test("a task may be any function that its module exports", async () => {
  await using workers = pool();
  const task = { ...TRY, run: undefined, exported: "shout" };
  expect(await workers.run<typeof shout>(task, "here")).toBe("HERE");
  const absent = { ...task, exported: "whisper" };
  expect(await failure(workers.run<typeof shout>(absent, "here"))).toContain("no such");
});

test("passes the bytes of several files completely, including an empty one", async () => {
  await using workers = pool();
  for (const size of [0, 1, 70_000, 3 * 2 ** 20, 0, 5]) {
    const path = join(folder, "file");
    await writeFile(path, Buffer.alloc(size, 1));
    expect(await run(workers, "length", null, path)).toBe(size);
  }
});

test("a missing file fails only its own task", async () => {
  await using workers = pool();
  const path = join(folder, "absent");
  await expect(run(workers, "length", null, path)).rejects.toThrow("ENOENT");
  expect(await run(workers, "echo", "next")).toBe("next");
});

test("a process that does not start is an error with the advice to try again", async () => {
  const isolation = { ...notIsolated, wrap: () => ({ file: "/bin/false", args: [] }) };
  await using workers = pool({ isolation });
  expect(await failure(run(workers, "echo"))).toBe("workers_unavailable");
});

test("closing the pool refuses tasks that run and wait, and starts nothing for them", async () => {
  const workers = pool();
  await run(workers, "echo");
  const tasks = (["loop", "echo", "echo"] as const).map((act) =>
    failure(run(workers, act)),
  );
  await vi.waitFor(() => expect(workers.state()).toMatchObject({ waiting: 2 }), 90_000);
  await workers[Symbol.asyncDispose]();
  expect(new Set(await Promise.all(tasks))).toEqual(new Set(["shutting_down"]));
  expect(workers.state()).toEqual({ workers: 0, running: 0, waiting: 0 });
});

test("a process that starts while the pool closes is ended", async () => {
  const workers = pool();
  const task = failure(run(workers, "echo"));
  await workers[Symbol.asyncDispose]();
  expect(await task).toBe("shutting_down");
  expect(workers.state()).toEqual({ workers: 0, running: 0, waiting: 0 });
});

test("a process that holds much of its memory is replaced before the next task", async () => {
  await using workers = pool({ memoryBytes: 2 * 2 ** 20, heapBytes: MEMORY / 2 });
  expect(await run(workers, "instance")).not.toBe(await run(workers, "instance"));
});

/** Whether a process with this id runs. */
const isAlive = (pid: number) =>
  readFile(`/proc/${pid}/stat`, "utf8").then(
    (stat) => !/\) Z /.test(stat),
    () => false,
  );
const mountPoint = await mkdtemp(join(tmpdir(), "parlance-isolation-"));
afterAll(() => rm(mountPoint, { recursive: true }));
const isolations = await workingIsolations(mountPoint);

describe.runIf(process.platform === "linux").each([...isolations])(
  "isolated by %s",
  (kind, isolation) => {
    test("ending a process works, whatever wrapper started it", async () => {
      const worker = await startTestWorker(isolation);
      expect(await worker.try("echo", "here")).toBe("here");
      expect(await isAlive(worker.pid)).toBe(true);
      await worker.end();
      await vi.waitFor(async () => expect(await isAlive(worker.pid)).toBe(false), 90_000);
    });

    test("a process that takes too much memory, or crashes, ends with the reason", async () => {
      await using workers = pool({ isolation, memory: await limitMemory(MEMORY) });
      expect(await failure(run(workers, "buffers"))).toBe("too_complex");
      expect(await failure(run(workers, "array"))).toBe("too_complex");
      expect(await failure(run(workers, "crash"))).toBe("it_crashed");
      held("memory", 2);
      expect(await run(workers, "echo", "next")).toBe("next");
    });

    test("an endlessly busy process ends when its service was killed", async () => {
      const program = fileURLToPath(
        new URL("./testing/abandon-worker.ts", import.meta.url),
      );
      const service = spawn(process.execPath, [program, kind, mountPoint]);
      const said = await new Promise<string>((resolve) =>
        service.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString())),
      );
      const pid = Number(said);
      expect(await isAlive(pid)).toBe(true);
      service.kill("SIGKILL");
      await vi.waitFor(async () => expect(await isAlive(pid)).toBe(false), 90_000);
    });
  },
);
