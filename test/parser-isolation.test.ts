import { spawn } from "node:child_process";
import { once } from "node:events";
import { createSocket } from "node:dgram";
import { globSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chooseIsolation } from "../src/platform/isolation/choose-isolation.ts";
import {
  type Guarantee,
  type Isolation,
  notIsolated,
  describeIsolation,
} from "../src/platform/isolation/isolation.ts";
import { codeFolders, nodeFiles } from "../src/platform/isolation/program-files.ts";
import { workingIsolations } from "../src/platform/isolation/testing/working-isolations.ts";
import type { ProbeInput, ProbeResult } from "../src/platform/workers/testing/probe.ts";
import { startTestWorker } from "../src/platform/workers/testing/test-worker.ts";
import { startTestServer, type TestServer } from "./support/server.ts";

/** The result of each attempt of the probe. */
const BY_SYSTEM: Record<Exclude<Guarantee, "user">, string[]> = {
  files: [
    "read package.json",
    "read secrets.json",
    "read /etc/passwd",
    "see the system's folders",
    "see processes",
    "write a file",
  ],
  network: [
    "connect to PORT",
    "connect to INTERNAL_PORT",
    "connect to another server",
    "look up a name",
  ],
  processes: ["signal the parent", "signal a neighbour", "read the parent's environment"],
};
const BY_NODE = [
  ...BY_SYSTEM.files,
  "read the parent's environment",
  "start a program",
  "open a thread",
  "load an addon",
  "reach internals of Node",
  "find a secret in its environment",
];

const mountPoint = await mkdtemp(join(tmpdir(), "parlance-isolation-"));
const isolations = await workingIsolations(mountPoint);
const testing = new URL("../src/platform/workers/testing/", import.meta.url);
const TIMEOUT_MS = 60_000;

const other = createServer((socket) => socket.destroy());
const nameServer = createSocket("udp4", (query, { port }) => {
  // an answer to any DNS question: header, question, 192.0.2.1
  const header = Buffer.from([0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]);
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 1]);
  const question = query.subarray(12, query.indexOf(0, 12) + 5);
  nameServer.send(Buffer.concat([query.subarray(0, 2), header, question, record]), port);
});
let server: TestServer;
let input: Omit<ProbeInput, "neighbour">;

beforeAll(async () => {
  process.env["PLANTED_SECRET"] = "a secret of the server";
  server = await startTestServer();
  other.listen(0, "127.0.0.1");
  nameServer.bind(0, "127.0.0.1");
  await Promise.all([once(other, "listening"), once(nameServer, "listening")]);
  const root = fileURLToPath(new URL("../", import.meta.url));
  const [addon = ""] = globSync(join(root, "node_modules/@*/*/*.node"));
  input = {
    files: {
      "package.json": join(root, "package.json"),
      "secrets.json": join(server.dataDir, "secrets.json"),
    },
    writable: join(mountPoint, "written"),
    ports: {
      PORT: Number(new URL(server.url).port),
      INTERNAL_PORT: Number(new URL(server.internalUrl).port),
      "another server": (other.address() as AddressInfo).port, // it listens
    },
    nameServer: nameServer.address().port,
    parent: process.pid,
    addon,
  };
});
afterAll(async () => {
  delete process.env["PLANTED_SECRET"];
  await server[Symbol.asyncDispose]();
  other.close();
  nameServer.close();
  await rm(mountPoint, { recursive: true });
});

/** Runs inside the launcher that starts the reading processes. */
async function probeLauncher(isolation: Isolation): Promise<ProbeResult> {
  const [child, neighbour] = await Promise.all([
    startTestWorker(isolation),
    startTestWorker(isolation),
  ]);
  try {
    const asked = { ...input, neighbour: neighbour.pid };
    return (await child.try("probe", asked)) as ProbeResult;
  } finally {
    await Promise.all([child.end(), neighbour.end()]);
  }
}

/** The same without Node's permission model and with a full environment. */
async function probeSystem(isolation: Isolation): Promise<ProbeResult> {
  const neighbour = await startTestWorker(isolation);
  const program = fileURLToPath(new URL("print-probe.ts", testing));
  const { file, args } = isolation.wrap({
    file: process.execPath,
    args: [program, JSON.stringify({ ...input, neighbour: neighbour.pid })],
    readable: [...nodeFiles(), ...codeFolders()],
  });
  try {
    const child = spawn(file, args, { stdio: ["ignore", "pipe", "inherit"] });
    return JSON.parse(await text(child.stdout)) as ProbeResult;
  } finally {
    await neighbour.end();
  }
}

const opened = (result: ProbeResult) =>
  Object.keys(result)
    .filter((attempt) => result[attempt] === "open")
    .toSorted();
const heldBy = ({ holds }: Isolation) =>
  Object.entries(BY_SYSTEM).flatMap(([guarantee, attempts]) =>
    (holds as readonly string[]).includes(guarantee) ? attempts : [],
  );
const everything = [...new Set([...BY_NODE, ...Object.values(BY_SYSTEM).flat()])];

test(
  "off: without isolation every attempt of the probe succeeds",
  async () => {
    const free = await probeSystem(notIsolated);
    expect(opened(free), JSON.stringify(free)).toEqual(everything.toSorted());
  },
  TIMEOUT_MS,
);

describe.each([...isolations])("a process isolated by %s", (_, isolation) => {
  test(
    "can do nothing but what is said to be lacking",
    async () => {
      const result = await probeLauncher(isolation);
      const held = new Set([...BY_NODE, ...heldBy(isolation)]);
      const lacking = everything.filter((attempt) => !held.has(attempt));
      expect(opened(result), JSON.stringify(result)).toEqual(lacking.toSorted());
    },
    TIMEOUT_MS,
  );

  test(
    "is held by the system, even where Node's permission model is broken",
    async () => {
      const result = await probeSystem(isolation);
      const passed = heldBy(isolation).filter((attempt) => result[attempt] === "open");
      expect(passed, JSON.stringify(result)).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test.runIf(isolation.holds.includes("user"))("has a user of its own", async () => {
    const children = await Promise.all([1, 2].map(() => startTestWorker(isolation)));
    const users = await Promise.all(children.map(({ pid }) => userOf(pid)));
    await Promise.all(children.map((child) => child.end()));
    expect(new Set([...users, process.getuid?.()]).size).toBe(3);
  });
});

test("chooses the strongest isolation, and none when it is switched off", async () => {
  const chosen = await chooseIsolation("auto", mountPoint);
  const holds = Math.max(...[...isolations.values()].map((one) => one.holds.length));
  expect(chosen.holds).toHaveLength(holds);
  expect((await chooseIsolation("off", mountPoint)).kind).toBe("none");
});

test("required isolation that is unavailable stops the start with the reason", async () => {
  const path = process.env["PATH"];
  process.env["PATH"] = "/nowhere";
  try {
    await expect(chooseIsolation("required", mountPoint)).rejects.toThrow(
      /PARSER_ISOLATION.*bubblewrap/s,
    );
  } finally {
    process.env["PATH"] = path;
  }
});

test("the server reports its isolation", async () => {
  const { checks } = (await (await server.request("/api/v1/health")).json()) as {
    checks: Record<string, { detail?: string }>;
  };
  const chosen = await chooseIsolation("auto", mountPoint);
  expect(checks["parser_isolation"]?.detail).toBe(describeIsolation(chosen));
});

async function userOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]);
}
