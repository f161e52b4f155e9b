import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestServer, startTestServer } from "./support/server.ts";

const HTML = { accept: "text/html" };

let parlance: TestServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlance-web-"));
  await writeFile(join(folder, "index.html"), "<!doctype html>");
  await mkdir(join(folder, "frame"));
  for (const frame of ["drawing", "result", "view"])
    await writeFile(join(folder, `frame/${frame}.html`), "<!doctype html>");
  parlance = await startTestServer({ WEB_APP_DIR: folder });
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  parlance.request(path, { token: null, headers, method });

test("a browser gets the app at every path outside the API", async () => {
  const page = await get("/c/1", HTML);
  expect(page.status).toBe(200);
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  const policy = page.headers.get("content-security-policy");
  expect(policy).toContain("script-src 'self'; style-src 'self'");
  expect(policy).toContain("require-trusted-types-for 'script'; trusted-types parlance");
  expect(page.headers.get("x-content-type-options")).toBe("nosniff");
  expect(page.headers.get("x-frame-options")).toBe("DENY");
  const head = await get("/c/1", HTML, "HEAD");
  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect(head.headers.get("content-length")).toBe("15");
});

test("a frame has no origin and no network, and only the app may hold it", async () => {
  const { headers } = await get("/frame/drawing.html", HTML);
  const policy = headers.get("content-security-policy");
  expect(policy).toContain("sandbox allow-scripts; default-src 'none'; script-src 'self';");
  expect(policy).toContain("frame-ancestors 'self'");
  expect(headers.get("x-frame-options")).toBe("SAMEORIGIN");
});

test("a result runs its own scripts, in a frame without an origin and without a network", async () => {
  const { headers } = await get("/frame/result.html", HTML);
  const policy = headers.get("content-security-policy");
  expect(policy).toContain("sandbox allow-scripts; default-src 'none';");
  expect(policy).toContain("webrtc 'block'; base-uri 'none'; form-action 'none'");
  expect(policy).not.toMatch(/connect-src|allow-same-origin|allow-popups|https?:/);
  expect(policy).toContain("frame-ancestors 'self'");
});

test("a view of a tool's result has no origin, and only the network that the operator names", async () => {
  const policyOf = async (server: Pick<TestServer, "request">) => {
    const answer = await server.request("/frame/view.html", { token: null, headers: HTML });
    return answer.headers.get("content-security-policy") ?? "";
  };
  const policy = await policyOf(parlance);
  expect(policy).toContain("sandbox allow-scripts; default-src 'none';");
  expect(policy).toContain("connect-src 'none'; webrtc 'block'; base-uri 'none'");
  expect(policy).not.toMatch(/unsafe-eval|allow-same-origin|allow-popups|https?:/);
  await using named = await startTestServer({
    WEB_APP_DIR: folder,
    MCP_VIEW_ORIGINS: "https://maps.example",
  });
  expect(await policyOf(named)).toContain(
    "connect-src https://maps.example wss://maps.example; webrtc",
  );
});

test("other clients, other methods and the API get JSON", async () => {
  for (const [path, headers] of [
    ["/c/1", {}],
    ["/api/v1/nowhere", HTML],
  ] as const) {
    const answer = await get(path, headers);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      404,
      "application/json; charset=utf-8",
    ]);
  }
  expect((await get("/c/1", HTML, "POST")).status).toBe(404);
  expect((await get("/api/v1/auth/login", HTML)).status).toBe(405);
  expect((await get("/docs", HTML)).headers.get("content-security-policy")).not.toContain(
    "self",
  );
});

test("the internal port serves no page", async () => {
  const answer = await fetch(`${parlance.internalUrl}/`, { headers: HTML });
  expect(answer.status).toBe(404);
});
