import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ApiError } from "../../../platform/http/errors.ts";
import { silentLog } from "../../../platform/telemetry/log.ts";
import { notIsolated } from "../../../platform/isolation/isolation.ts";
import { workingIsolations } from "../../../platform/isolation/testing/working-isolations.ts";
import { type ChildPool, createChildPool, type PoolOptions } from "./child-pool.ts";
import { startChild } from "./child-process.ts";
import { limitMemory, type MemoryLimit, watchdogLimit } from "./limit-memory.ts";
import { held } from "../../../../test/support/held.ts";

const MEMORY = 300 * 2 ** 20;
const LONG = 20_000;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlance-children-"));
});
afterAll(() => rm(folder, { recursive: true }));

const options = {
  entry: new URL("../testing/hostile-child.ts", import.meta.url),
  isolation: notIsolated,
  memory: watchdogLimit(MEMORY),
  memoryBytes: MEMORY,
  log: silentLog(),
};
const pool = async (more: Partial<PoolOptions> = {}): Promise<ChildPool> =>
  createChildPool({ ...options, size: 1, ...more });

const failure = (running: Promise<unknown>) =>
  running.then(
    () => "no failure",
    (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
  );
const run = (children: ChildPool, task: string, input: unknown = null, timeoutMs = LONG) =>
  children.run(task, input, { timeoutMs });

test("passes input and results, with bytes, and reuses one process for tasks", async () => {
  await using children = await pool();
  const given = { text: "Grüße\f", bytes: new Uint8Array([0, 255, 7]) };
  expect(await run(children, "echo", given)).toEqual(given);
  expect(await run(children, "instance")).toBe(await run(children, "instance"));
  expect(children.state()).toEqual({ children: 1, busy: 0, waiting: 0 });
});

const limits: [string, () => Promise<MemoryLimit>][] = [
  ["what this machine has", () => limitMemory(MEMORY)],
  ["a watchdog", async () => watchdogLimit(MEMORY)],
];
describe.each(limits)("under %s", (_, limit) => {
  test.each(["hog", "hog-heap"])(
    "%s ends only its own process, and the next task runs",
    async (task) => {
      await using children = await pool({ memory: await limit() });
      expect(await failure(run(children, task))).toBe("too_complex");
      expect(await run(children, "echo", "next")).toBe("next");
      held("memory");
    },
  );
});

test("watches the memory itself when the system refuses a limit", async () => {
  const refusing: MemoryLimit = {
    kind: "cgroup",
    hold: () => Promise.reject(new Error("refused")),
  };
  await using children = await pool({ memory: refusing });
  expect(await failure(run(children, "hog"))).toBe("too_complex");
});

test.each([
  ["loop", "too_complex", 1_000],
  ["crash", "parser_crashed", LONG],
  ["leave", "parser_crashed", LONG],
  ["throw-later", "parser_crashed", LONG],
  ["no-such-task", "file_unreadable", LONG],
])("%s fails as %s, and the next task is done", async (task, code, timeoutMs) => {
  await using children = await pool();
  expect(await failure(run(children, task, null, timeoutMs))).toBe(code);
  expect(await run(children, "echo", "next")).toBe("next");
});

test("a caller that leaves ends its task, and the next in the queue runs", async () => {
  await using children = await pool();
  const leaving = new AbortController();
  const left = failure(
    children.run("loop", null, { timeoutMs: LONG, signal: leaving.signal }),
  );
  const waiting = run(children, "echo", "after");
  const impatient = new AbortController();
  const gaveUp = failure(
    children.run("echo", "never", { timeoutMs: LONG, signal: impatient.signal }),
  );
  await vi.waitFor(
    () => expect(children.state()).toMatchObject({ busy: 1, waiting: 2 }),
    90_000,
  );
  impatient.abort();
  expect(await gaveUp).toBe("request_cancelled");
  leaving.abort();
  expect(await left).toBe("request_cancelled");
  expect(await waiting).toBe("after");
  expect(
    await failure(
      children.run("echo", null, { timeoutMs: LONG, signal: AbortSignal.abort() }),
    ),
  ).toBe("request_cancelled");
  expect(children.state()).toMatchObject({ busy: 0, waiting: 0 });
});

test("refuses tasks beyond the queue's length", async () => {
  await using children = await pool({ maxWaiting: 1 });
  const leaving = new AbortController();
  const busy = failure(
    children.run("loop", null, { timeoutMs: LONG, signal: leaving.signal }),
  );
  const second = run(children, "echo", 2);
  expect(await failure(run(children, "echo", 3))).toBe("parser_busy");
  leaving.abort();
  expect([await busy, await second]).toEqual(["request_cancelled", 2]);
});

test("passes the bytes of several files completely, including an empty one", async () => {
  await using children = await pool();
  for (const size of [0, 1, 70_000, 3 * 2 ** 20, 0, 5]) {
    const path = join(folder, "file");
    await writeFile(path, Buffer.alloc(size, 1));
    expect(await children.run("length", null, { path, timeoutMs: LONG })).toBe(size);
  }
});

test("a missing file fails only its own task", async () => {
  await using children = await pool();
  const asked = { path: join(folder, "absent"), timeoutMs: LONG };
  await expect(children.run("length", null, asked)).rejects.toThrow("ENOENT");
  expect(await run(children, "echo", "next")).toBe("next");
});

test("a process that does not start is an error with the advice to try again", async () => {
  const isolation = { ...notIsolated, wrap: () => ({ file: "/bin/false", args: [] }) };
  await using children = await pool({ isolation });
  expect(await failure(run(children, "echo"))).toBe("parser_unavailable");
});

test("ends idle processes and starts new ones", async () => {
  await using children = await pool({ idleMs: 50 });
  const first = await run(children, "instance");
  await vi.waitFor(() => expect(children.state().children).toBe(0), 90_000);
  expect(await run(children, "instance")).not.toBe(first);
});

test("closing the pool ends all its processes, even those with endless tasks", async () => {
  const children = await pool({ size: 2 });
  await run(children, "echo");
  const endless = failure(run(children, "loop"));
  await children[Symbol.asyncDispose]();
  expect(await endless).not.toBe("no failure");
  expect(await failure(run(children, "echo"))).toBe("shutting_down");
  expect(children.state().children).toBe(0);
});

test("closing the pool refuses tasks that wait, and starts no process for them", async () => {
  const children = await pool();
  const tasks = ["loop", "echo", "echo"].map((task) => failure(run(children, task)));
  await vi.waitFor(() => expect(children.state()).toMatchObject({ waiting: 2 }), 90_000);
  await children[Symbol.asyncDispose]();
  expect(await Promise.all(tasks.slice(1))).toEqual(["shutting_down", "shutting_down"]);
  expect(children.state()).toEqual({ children: 0, busy: 0, waiting: 0 });
});

test("a process that starts while the pool closes is ended", async () => {
  const children = await pool();
  const task = failure(run(children, "echo"));
  await children[Symbol.asyncDispose]();
  expect(await task).toBe("shutting_down");
  expect(children.state()).toEqual({ children: 0, busy: 0, waiting: 0 });
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
      const child = await startChild({ ...options, isolation });
      expect(await child.run("echo", "here", { timeoutMs: LONG })).toBe("here");
      expect(await isAlive(child.pid)).toBe(true);
      await child.end();
      await vi.waitFor(async () => expect(await isAlive(child.pid)).toBe(false), 90_000);
    });

    test("a process that takes too much memory, or crashes, ends with the reason", async () => {
      await using children = await pool({ isolation, memory: await limitMemory(MEMORY) });
      expect(await failure(run(children, "hog"))).toBe("too_complex");
      expect(await failure(run(children, "hog-heap"))).toBe("too_complex");
      expect(await failure(run(children, "crash"))).toBe("parser_crashed");
      held("memory", 2);
      expect(await run(children, "echo", "next")).toBe("next");
    });

    test("an endlessly busy process ends when its service was killed", async () => {
      const program = fileURLToPath(
        new URL("../testing/abandon-child.ts", import.meta.url),
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
