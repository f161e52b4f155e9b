import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { newPerson } from "./support/ask.ts";
import { type TestServer, startTestServer } from "./support/server.ts";
import { askStateless, FOLLOWS_TASKS } from "./support/stateless-mcp.ts";
import { startTaskServer, type TaskServer } from "./support/task-server.ts";

/** A client that listens (2026-07-28) as often as it can, and reads nothing. */

/** USER_STREAM_LIMIT. */
const MAX_STREAMS = 6;
/** More than all listeners of the server together may be. */
const MANY = 1_020;
const AT_ONCE = 4;
let tools: TaskServer;
let parlance: TestServer;
let ada: string;
let bob: string;
let eve: string;
let leaving = new AbortController();

beforeAll(async () => {
  tools = await startTaskServer({ endless: [{ status: "working" }] });
  parlance = await startTestServer({
    MCP_SERVERS: JSON.stringify([{ name: "one", url: tools.url }]),
    USER_STREAM_LIMIT: String(MAX_STREAMS),
  });
  await vi.waitFor(async () => {
    const listed = await parlance.request("/api/v1/tools?query=endless");
    expect(await listed.json()).toMatchObject({ total: 1 });
  }, 90_000);
  ada = await keyOf(parlance.token);
  bob = await keyOf((await newPerson(parlance, "bob")).token);
  eve = await keyOf((await newPerson(parlance, "eve")).token);
});
afterEach(() => {
  leaving.abort();
  leaving = new AbortController();
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await tools[Symbol.asyncDispose]();
});

async function keyOf(token: string): Promise<string> {
  const body = { name: "client", scopes: ["tool:*"] };
  const made = await parlance.request("/api/v1/auth/api-keys", { body, token });
  return ((await made.json()) as { key: string }).key;
}

const send = (method: string, params: Record<string, unknown>, key: string) =>
  askStateless(`${parlance.url}/mcp`, method, {
    key,
    params,
    capabilities: FOLLOWS_TASKS,
    signal: leaving.signal,
  });
const listen = (notifications: object, key: string) =>
  send("subscriptions/listen", { notifications }, key);

/** The first message of a stream. */
async function firstOf({ body }: Response): Promise<unknown> {
  let text = "";
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    const data = /^data: (.+)\n/m.exec(text)?.[1];
    if (data !== undefined) return JSON.parse(data);
  }
  throw new Error(`no message: ${text}`);
}
const CONFIRMED = { method: "notifications/subscriptions/acknowledged" };

/** @returns the id of a task that goes on. */
async function beginTask(key: string): Promise<string> {
  const answer = await send("tools/call", { name: "endless", arguments: {} }, key);
  const text = await answer.text();
  const data = text.split("\n").findLast((line) => line.startsWith("data:"));
  const { result } = JSON.parse(data?.slice(5) ?? text) as { result: { taskId: string } };
  return result.taskId;
}

test("who listens as often as they may is refused more, and nobody else is", async () => {
  const taskIds = [await beginTask(ada)];
  for (let stream = 0; stream < MAX_STREAMS; stream += 1) {
    const wanted = stream % 2 === 0 ? { taskIds } : { toolsListChanged: true };
    expect((await listen(wanted, ada)).status).toBe(200);
  }
  const refused = await Promise.all(
    Array.from({ length: 20 }, () => listen({ toolsListChanged: true }, ada)),
  );
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]));
  // the person's other work
  expect((await parlance.request("/api/v1/tools")).status).toBe(200);
  expect(await firstOf(await listen({ toolsListChanged: true }, bob))).toMatchObject(
    CONFIRMED,
  );
  expect(await beginTask(bob)).not.toBe("");
  leaving.abort();
  leaving = new AbortController();
  await expect
    .poll(async () => (await listen({ toolsListChanged: true }, ada)).status, {
      timeout: 30_000,
    })
    .toBe(200);
});

test(
  "listening to tasks that are none takes no place from others",
  { timeout: 120_000 },
  async () => {
    let left = MANY;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (left-- > 0) {
          const answer = await listen({ taskIds: ["made up"] }, eve);
          expect(answer.status).toBe(200);
          await answer.text();
        }
      }),
    );
    expect(await firstOf(await listen({ toolsListChanged: true }, bob))).toMatchObject(
      CONFIRMED,
    );
  },
);
