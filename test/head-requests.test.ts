import { afterAll, beforeAll, expect, test } from "vitest";
import { askBelow } from "./support/ask.ts";
import { type TestServer, startTestServer } from "./support/server.ts";

/** HEAD is answered as GET without a body, and holds nothing that GET holds while it is read. */
/** The most connections of one user to `/events`. */
const STREAMS = 50;
/** The most exports of one user at once. */
const EXPORTS = 4;
let parlance: TestServer;
const ask = askBelow(() => parlance, "/api/v1");
beforeAll(async () => {
  parlance = await startTestServer();
});
afterAll(() => parlance[Symbol.asyncDispose]());

async function headMany(path: string, count: number): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let sent = 0; sent < count; sent += 1)
    statuses.add((await ask("HEAD", path)).status);
  return statuses;
}

test("a stream that is asked for by HEAD takes none of the user's places", async () => {
  expect(await headMany("/events", STREAMS + 1)).toEqual(new Set([200]));
  const { token } = parlance;
  const stream = await parlance.request("/api/v1/events", { token });
  expect(stream.status).toBe(200);
  await stream.body?.cancel();
});

test("an export that is asked for by HEAD takes none of the user's places", async () => {
  const content = "Some words.\n".repeat(10_000);
  const canvas = { title: "Long", type: "markdown", content };
  const { id } = (await ask("POST", "/canvas", { body: canvas })).body;
  const path = `/canvas/${id}/export?fileType=md`;
  expect(await headMany(path, EXPORTS + 1)).toEqual(new Set([200]));
  const [head, whole] = [await ask("HEAD", path), await ask("GET", path)];
  expect([head.text, whole.text]).toEqual(["", expect.stringContaining("Some words.")]);
  expect(head.headers.get("content-type")).toBe(whole.headers.get("content-type"));
});
