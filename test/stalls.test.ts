import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { OpenApiDocument } from "./support/fitting-values.ts";
import {
  type HostileRequest,
  hostileRequests,
  sampleOf,
} from "./support/hostile-requests.ts";
import { heapBytes, longestTurnSince } from "./support/measure-server.ts";
import { type SpawnedServer, spawnServer, stateOf } from "./support/spawned-server.ts";

/** STALLS_FULL=1 sends every hostile input to every route. */
const FULL = process.env["STALLS_FULL"] === "1";
const ONE_IN = FULL ? 1 : 60;
/** The extra time compared with the control server. */
const MAX_PAUSE_MS = 100;
const MAX_HEAP_GROWTH_BYTES = 64 * 1024 * 1024;
/** A real stall occurs at each attempt; the noise of a busy machine does not. */
const TRIES = 4;
const REQUEST_TIMEOUT_MS = 30_000;
const PASSWORD = "an ordinary password";

const turnsFile = join(tmpdir(), `parlance-turns-${process.pid}`);

interface Started {
  server: SpawnedServer;
  dataDir: string;
}
let attacked: Started;
/** Answers only `/healthz`. Its slowest answer measures the noise of the machine. */
let control: Started;
beforeAll(async () => {
  control = await start();
  const limit = Math.ceil(
    ((await heapBytes(control.server)) + MAX_HEAP_GROWTH_BYTES) / 1024 / 1024,
  );
  // an input that needs more ends the process
  const recorder = new URL("./support/record-turns.ts", import.meta.url).href;
  attacked = await start({
    NODE_OPTIONS: `--max-old-space-size=${limit} --import=${recorder}`,
    TURNS_FILE: turnsFile,
  });
}, 120_000);
afterAll(async () => {
  for (const { server, dataDir } of [attacked, control]) {
    await server.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
  await rm(turnsFile, { force: true });
});

async function start(env: Record<string, string> = {}): Promise<Started> {
  const dataDir = await mkdtemp(join(tmpdir(), "parlance-stalls-"));
  return {
    dataDir,
    server: await spawnServer({ DATA_DIR: dataDir, ACCESS_TOKEN_TTL: "86400000", ...env }),
  };
}

type Send = (
  path: string,
  method: string,
  body?: HostileRequest["body"],
) => Promise<Response>;

async function ordinaryUser(): Promise<Send> {
  const { server } = attacked;
  const email = "ordinary@example.com";
  const made = await server.ask("/api/v1/users", {
    email,
    name: "Ordinary",
    password: PASSWORD,
  });
  expect(made.status).toBe(201);
  const login = await server.ask("/api/v1/auth/login", { email, password: PASSWORD });
  const { accessToken } = (await login.json()) as { accessToken: string };
  return (path, method, body) => {
    const given = body?.();
    return fetch(server.url + path, {
      method,
      headers: {
        authorization: `Bearer ${accessToken}`,
        ...(typeof given === "string" && { "content-type": "application/json" }),
      },
      ...(given !== undefined && { body: given }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
  };
}

/** A resource of each kind, for routes that change or return one. */
async function makeThings(send: Send): Promise<Record<string, string>> {
  const make = async (path: string, body: object) => {
    const response = await send(path, "POST", () => JSON.stringify(body));
    return ((await response.json()) as { id: string }).id;
  };
  return {
    canvas: await make("/api/v1/canvas", { title: "Plain", content: "plain" }),
    automations: await make("/api/automations", {
      name: "Plain",
      type: "audio",
      agents: [],
    }),
  };
}

async function healthTime({ server }: Started): Promise<number> {
  const began = performance.now();
  try {
    // a kept connection may be closed while this process builds a large body
    const headers = { connection: "close" };
    const response = await fetch(`${server.url}/healthz`, { headers });
    await response.arrayBuffer();
  } catch (cause) {
    throw new Error(`GET /healthz failed. ${await stateOf(server)}`, { cause });
  }
  return performance.now() - began;
}

/** @returns how much longer the slowest answer took than the control's while the request ran. */
async function pauseDuring(request: HostileRequest, send: Send): Promise<number> {
  const beganAt = Date.now();
  const running = new AbortController();
  const done = outcome(request, send).finally(() => running.abort());
  let [slowest, noise] = [0, 0];
  do {
    const [ours, controls] = await Promise.all([healthTime(attacked), healthTime(control)]);
    slowest = Math.max(slowest, ours);
    noise = Math.max(noise, controls);
  } while (!running.signal.aborted);
  await done;
  return Math.min(slowest - noise, await longestTurnSince(turnsFile, beganAt));
}

/** How many answers had each status, and how many requests had none. */
const answers = new Map<number, number>();

/** The answer and its duration do not matter here. */
async function outcome({ path, method, body }: HostileRequest, send: Send): Promise<void> {
  let status = 0;
  try {
    const response = await send(path, method, body);
    await response.arrayBuffer();
    ({ status } = response);
  } catch {
    // a refused upload closes its connection; the health check detects a dead server
  }
  answers.set(status, (answers.get(status) ?? 0) + 1);
}

async function shortestPause(request: HostileRequest, send: Send): Promise<number> {
  let shortest = Infinity;
  for (let attempt = 0; attempt < TRIES && shortest > MAX_PAUSE_MS; attempt += 1)
    shortest = Math.min(shortest, await pauseDuring(request, send));
  return shortest;
}

test(
  "no input of an ordinary user holds up the server for others",
  async () => {
    const send = await ordinaryUser();
    const openApi = await fetch(`${attacked.server.url}/openapi.json`);
    const document = (await openApi.json()) as OpenApiDocument;
    const all = await hostileRequests(document, await makeThings(send));
    expect(all.length).toBeGreaterThan(1_000);
    const heapBefore = await heapBytes(attacked.server);

    const pauses: [string, number][] = [];
    for (const request of sampleOf(all, ONE_IN))
      pauses.push([request.name, await shortestPause(request, send)]);

    pauses.sort(([, a], [, b]) => b - a);
    if (FULL) print(pauses);
    expect((await send("/api/v1/canvas", "GET")).status, "still signed in").toBe(200);
    expect(pauses.filter(([, pause]) => pause > MAX_PAUSE_MS)).toEqual([]);
    expect(attacked.server.child.exitCode).toBeNull();
    await vi.waitFor(
      async () =>
        expect(await heapBytes(attacked.server)).toBeLessThan(
          heapBefore + MAX_HEAP_GROWTH_BYTES,
        ),
      { timeout: 90_000, interval: 500 },
    );
  },
  FULL ? 7_200_000 : 300_000,
);

function print(pauses: [string, number][]): void {
  const lines = pauses
    .slice(0, 20)
    .map(([name, pause]) => `${pause.toFixed(0)} ms  ${name}`);
  const counts = [...answers].sort().map(([status, count]) => `${status}: ${count}`);
  console.log(`${pauses.length} requests; answers by status: ${counts.join(", ")}`);
  console.log(["the longest pauses:", ...lines].join("\n"));
}
