import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "./support/server.ts";

let parlance: TestServer;
let other: string;
beforeAll(async () => {
  parlance = await startTestServer();
  const body = { email: "bo@test.example", name: "Bo", password: "correct horse battery" };
  await parlance.request("/api/v1/users", { body });
  other = await parlance.signIn(body.email, body.password);
});
afterAll(() => parlance[Symbol.asyncDispose]());

/** As many as one user may have at once. */
const FLOOD = 32;
/** Words that no cache knows: much to count in little to send, so that the flood lasts. */
const long = Array.from({ length: 9_000 }, (_, at) =>
  createHash("sha256").update(`${at}`).digest("base64"),
).join(" ");

function flood(text: string) {
  const leaving = new AbortController();
  let answered = 0;
  const requests = Array.from({ length: FLOOD }, async () => {
    const response = await parlance
      .request("/api/v1/chunk", { body: { text }, signal: leaving.signal })
      .catch(() => undefined);
    answered += 1;
    return response?.status;
  });
  return { requests, leave: () => leaving.abort(), answered: () => answered };
}

const chunkAs = async (token: string) =>
  (await parlance.request("/api/v1/chunk", { body: { text: "One line." }, token })).status;

test("a small text of one user is cut while another floods the service with large ones", async () => {
  const { requests, answered } = flood(long);
  expect(await Promise.race(requests)).toBe(200); // the others wait or run
  expect(await chunkAs(other)).toBe(200);
  expect(answered()).toBeLessThan(FLOOD);
  expect(new Set(await Promise.all(requests))).toEqual(new Set([200]));
});

test("the texts of a client that left are cut no longer", async () => {
  const { requests, leave } = flood(long.slice(0, long.length / 4));
  await Promise.race(requests);
  expect(await chunkAs(parlance.token)).toBe(200); // the place of the first
  leave();
  await Promise.all(requests);
  const statuses = await Promise.all(
    Array.from({ length: FLOOD }, () => chunkAs(parlance.token)),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
});
