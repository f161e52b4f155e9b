import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "./support/server.ts";

const ALLOWED = "https://chat.example.org";
const OTHER = "https://chat.example.org.evil.example";
let parlance: TestServer;
let closed: TestServer;
beforeAll(async () => {
  parlance = await startTestServer({
    CORS_ORIGINS: `${ALLOWED}/, http://localhost:5173`,
  });
  closed = await startTestServer();
});
afterAll(async () => {
  await parlance?.[Symbol.asyncDispose]();
  await closed?.[Symbol.asyncDispose]();
});

function preflight(
  server: TestServer,
  origin: string,
  names = "authorization,x-stainless-os",
) {
  return server.request("/v1/chat/completions", {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": names,
    },
  });
}
const allowedBy = ({ headers }: Response) => headers.get("access-control-allow-origin");

test("a site that is named may ask with any header, but not with a cookie", async () => {
  for (const origin of [ALLOWED, "http://localhost:5173"]) {
    const response = await preflight(parlance, origin);
    expect(response.status).toBe(204);
    expect(allowedBy(response)).toBe(origin);
    expect(response.headers.get("access-control-allow-methods")).toContain("POST");
    expect(response.headers.get("access-control-allow-headers")).toBe(
      "authorization,x-stainless-os",
    );
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
    expect(response.headers.get("x-request-id")).toBeTruthy();
  }
});

test("it may read answers, also refusals", async () => {
  for (const [path, status, headers] of [
    ["/v1/models", 200, {}],
    ["/v1/models", 401, { authorization: "Bearer pk_wrong" }],
    ["/nowhere", 404, {}],
  ] as const) {
    const response = await parlance.request(path, {
      headers: { origin: ALLOWED, ...headers },
    });
    expect(response.status).toBe(status);
    expect(allowedBy(response)).toBe(ALLOWED);
    expect(response.headers.get("vary")).toContain("origin");
    expect(response.headers.get("access-control-expose-headers")).toContain("x-request-id");
  }
});

test("other sites may neither ask nor read, and a cache does not mix them up", async () => {
  for (const [server, origin] of [
    [parlance, OTHER],
    [parlance, "null"],
    [parlance, "http://chat.example.org"],
    [closed, ALLOWED],
  ] as const) {
    expect((await preflight(server, origin)).status).toBe(405);
    const response = await server.request("/healthz", { headers: { origin } });
    expect(allowedBy(response)).toBeNull();
    expect(response.headers.get("vary")?.includes("origin") ?? false).toBe(
      server === parlance,
    );
  }
});

test("a page of a named site may use the tools", async () => {
  const made = await parlance.request("/api/v1/auth/api-keys", { body: { name: "page" } });
  const { key } = (await made.json()) as { key: string };
  const ask = (origin: string) =>
    parlance.request("/mcp", {
      token: null,
      headers: {
        origin,
        "x-api-key": key,
        accept: "application/json, text/event-stream",
      },
      body: { jsonrpc: "2.0", id: 1, method: "ping" },
    });
  expect((await ask(ALLOWED)).status).toBe(200);
  expect((await ask(OTHER)).status).toBe(403);
});

test("names of headers that are none are not repeated", async () => {
  for (const names of ["a b", "x;y", "a".repeat(2_001), "a,,b"])
    expect(
      (await preflight(parlance, ALLOWED, names)).headers.get(
        "access-control-allow-headers",
      ),
    ).toBeNull();
});

test("what is no origin is refused at the start", async () => {
  for (const origins of ["*", "https://chat.example.org/app", "chat.example.org", "null"])
    await expect(startTestServer({ CORS_ORIGINS: origins })).rejects.toThrow(
      "CORS_ORIGINS",
    );
});
