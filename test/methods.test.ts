import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "./support/server.ts";

let parlance: TestServer;
beforeAll(async () => {
  parlance = await startTestServer();
});
afterAll(() => parlance?.[Symbol.asyncDispose]());

test("a known path answers another method with 405 and the permitted methods", async () => {
  const response = await parlance.request("/api/v1/conversation", { method: "PUT" });
  expect(response.status).toBe(405);
  expect(response.headers.get("allow")).toBe("POST");
  expect(await response.json()).toMatchObject({ code: "method_not_allowed" });
});

test("an unknown path is a 404 for every method", async () => {
  for (const method of ["GET", "POST", "DELETE"]) {
    const response = await parlance.request("/api/v1/nowhere", { method });
    expect(response.status).toBe(404);
    expect(response.headers.get("allow")).toBeNull();
  }
});
