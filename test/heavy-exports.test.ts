import { monitorEventLoopDelay } from "node:perf_hooks";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { askBelow, newPerson } from "./support/ask.ts";
import { startTestServer, type TestServer } from "./support/server.ts";
import { held } from "./support/held.ts";

let parlance: TestServer;
beforeAll(async () => {
  parlance = await startTestServer();
});
afterAll(() => parlance[Symbol.asyncDispose]());

const ask = askBelow(() => parlance, "/api/v1/canvas");
const make = async (content: string, type = "markdown") =>
  (await ask("POST", "", { body: { title: "Heavy", content, type } })).body.id;

/** Two texts of a million characters without a common line. */
async function differing(): Promise<string> {
  const lines = (mark: string) =>
    Array.from({ length: 70_000 }, (_, line) => `${mark} line ${line}`).join("\n");
  const id = await make(lines("a"));
  await ask("POST", `/${id}/versions`, { body: { baseVersion: 1, content: lines("b") } });
  return id;
}

/**
 * Asks for the server's health until `done`. @returns the number of answers and the longest pause.
 */
async function watch(done: Promise<unknown>) {
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  let running = true;
  let answers = 0;
  const began = performance.now();
  const end = done.finally(() => (running = false));
  while (running) {
    const response = await fetch(`${parlance.url}/healthz`);
    if (response.status === 200 && running) answers += 1;
    await response.body?.cancel();
  }
  await end;
  delay.disable();
  return { answers, longestPause: delay.max / 1e6, duration: performance.now() - began };
}

test("hostile exports and comparisons are completed or refused while the server answers others", async () => {
  const exports = [
    ["pdf", "*a_ ".repeat(50_000)],
    ["pdf", "[".repeat(50_000)],
    ["html", "[a](b".repeat(2_000)],
    ["docx", ">".repeat(5_000)],
  ] as const;
  const ids = await Promise.all(exports.map(([, content]) => make(content)));
  const compared = await differing();

  const all = async () => {
    const statuses: number[] = [];
    for (const [index, [fileType]] of exports.entries())
      statuses.push(
        (await ask("GET", `/${ids[index]}/export?fileType=${fileType}`)).status,
      );
    statuses.push((await ask("GET", `/${compared}/diff?from=1&to=2`)).status);
    return statuses;
  };
  const running = all();
  const { answers, longestPause, duration } = await watch(running);
  for (const status of await running) expect([200, 413, 422]).toContain(status);
  expect(answers).toBeGreaterThan(20);
  // on the main thread the longest task would be one pause
  expect(longestPause).toBeLessThan(duration / 4);
  held("event-loop", exports.length + 1);
}, 180_000);

test("a user has few exports at once, another user's continue, and places become free again", async () => {
  const heavy = await make("*a_ ".repeat(100_000));
  const light = await make("light");
  const other = await newPerson(parlance, "other");
  const others = (
    await ask("POST", "", { token: other.token, body: { title: "x", content: "y" } })
  ).body.id;

  const many = Promise.all(
    Array.from({ length: 12 }, () => ask("GET", `/${heavy}/export?fileType=pdf`)),
  );
  const one = await ask("GET", `/${others}/export?fileType=pdf`, { token: other.token });
  expect(one.status).toBe(200);
  const answers = await many;
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(8);
  expect(refused[0]?.body.code).toBe("too_many_exports");
  expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
  for (const { status } of answers) expect([200, 422, 429]).toContain(status);
  expect((await ask("GET", `/${light}/export?fileType=pdf`)).status).toBe(200);
}, 180_000);

test("a client that disconnects frees the places of its exports", async () => {
  const heavy = await make("*a_ ".repeat(100_000));
  const light = await make("light");
  const status = async () => (await ask("GET", `/${light}/export?fileType=txt`)).status;
  const leaving = new AbortController();
  const { signal } = leaving;
  const pending = Array.from({ length: 4 }, () =>
    parlance
      .request(`/api/v1/canvas/${heavy}/export?fileType=pdf`, { signal })
      .catch(() => "left"),
  );
  await vi.waitFor(async () => expect(await status()).toBe(429), 90_000);
  leaving.abort();
  await Promise.all(pending);
  await vi.waitFor(async () => expect(await status()).toBe(200), 90_000);
});
