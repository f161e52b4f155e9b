import { afterAll, beforeAll, expect, test } from "vitest";
import { appOnceBuilt } from "../src/platform/http/app.ts";
import { type TestServer, startTestServer } from "./support/server.ts";
import { held } from "./support/held.ts";

let parlance: TestServer;
beforeAll(async () => {
  parlance = await startTestServer();
});
afterAll(() => parlance[Symbol.asyncDispose]());

const answers: [string, () => Promise<Response>][] = [
  [
    "a stream",
    () => parlance.request("/api/v1/conversation", { body: { content: "hello" } }),
  ],
  ["a page", () => parlance.request("/docs", { token: null })],
  ["the OpenAPI document", () => parlance.request("/openapi.json", { token: null })],
  ["the metrics", () => parlance.request("/metrics", { token: null })],
  [
    "an answer without a body",
    () => parlance.request("/api/v1/preferences", { method: "PATCH", body: {} }),
  ],
  ["a 400", () => parlance.request("/api/v1/conversation", { body: { content: 7 } })],
  ["a 401", () => parlance.request("/api/v1/auth/me", { token: null })],
  ["a 404", () => parlance.request("/api/v1/nowhere")],
  [
    "a 503",
    () =>
      appOnceBuilt(() => undefined).fetch(new Request("http://localhost/api/v1/auth/me"), {
        listener: "public",
        trusted: false,
        isLocal: false,
        peer: "127.0.0.1",
      }),
  ],
];

test.each(answers)(
  "%s carries the security headers, and no foreign origin is let in",
  async (_, ask) => {
    const { headers, body } = await ask();
    await body?.cancel();
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("content-security-policy")).toMatch(
      /default-src 'none'.*frame-ancestors 'none'/,
    );
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect(headers.get("x-request-id")).toMatch(/^[\da-f-]{36}$/);
    held("response-headers");
  },
);
