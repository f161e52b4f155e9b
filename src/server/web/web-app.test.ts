import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { BytesResponse } from "../../platform/http/lazy-response.ts";
import { openWebApp } from "./web-app.ts";

const SCRIPT = "console.log('hello')";
const PAGE = "<!doctype html><title>Parlance</title>";
const HTML = { accept: "text/html,application/xhtml+xml" };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlance-web-"));
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), PAGE);
  await writeFile(join(folder, "icon.svg"), "<svg/>");
  await writeFile(join(folder, ".source-hash"), "secret");
  await writeFile(join(folder, "assets/main-abc.js"), SCRIPT);
  await writeFile(join(folder, "assets/main-abc.js.br"), brotliCompressSync(SCRIPT));
  await writeFile(join(folder, "assets/main-abc.js.gz"), gzipSync(SCRIPT));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  openWebApp(folder)(new Request(`http://localhost${path}`, { headers, method }));

test("serves every page as index.html, never stored and with a strict policy", async () => {
  for (const path of ["/", "/c/0198", "/documents/d/x", "/index.html"]) {
    const page = await get(path, HTML);
    expect(await page?.text()).toBe(PAGE);
    expect(page?.headers.get("cache-control")).toBe("no-store");
    const policy = page?.headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'; script-src 'self'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toContain("unsafe");
  }
  expect((await get("/c/1", HTML, "HEAD"))?.status).toBe(200);
});

test("leaves paths of the API to the API", async () => {
  expect(await get("/c/1", { accept: "application/json" })).toBeUndefined();
  expect(await get("/c/1")).toBeUndefined();
  expect(await get("/c/1", HTML, "POST")).toBeUndefined();
  for (const path of ["/api/v1/nowhere", "/api", "/mcp", "/v1/models", "/.well-known/x"])
    expect(await get(path, HTML)).toBeUndefined();
});

test("the first requests, however many at once, read the build once", async () => {
  const serve = openWebApp(folder);
  const ask = () => serve(new Request("http://localhost/", { headers: HTML }));
  const pages = await Promise.all(Array.from({ length: 50 }, ask));
  expect(new Set(pages.map((page) => (page as BytesResponse).shared)).size).toBe(1);
});

test("serves hashed files as immutable, in the best encoding that the client accepts", async () => {
  const encodingOf = async (accepted: string) => {
    const answer = await get("/assets/main-abc.js", { "accept-encoding": accepted });
    expect(answer?.headers.get("cache-control")).toContain("immutable");
    // of a worker, it says which scripts it may load
    expect(answer?.headers.get("content-security-policy")).toContain("script-src 'self'");
    expect(answer?.headers.get("vary")).toBe("accept-encoding");
    return answer?.headers.get("content-encoding");
  };
  expect(await encodingOf("gzip, deflate, br, zstd")).toBe("br");
  expect(await encodingOf("gzip, br;q=0")).toBe("gzip");
  expect(await encodingOf("identity")).toBeNull();
  const answer = await get("/assets/main-abc.js", { "accept-encoding": "br" });
  expect(brotliDecompressSync((await answer?.arrayBuffer()) ?? "").toString()).toBe(SCRIPT);
});

test("revalidates other files, with 304 when they have not changed", async () => {
  const icon = await get("/icon.svg");
  expect(icon?.headers.get("cache-control")).toBe("no-cache");
  const etag = icon?.headers.get("etag") ?? "";
  expect((await get("/icon.svg", { "if-none-match": etag }))?.status).toBe(304);
  expect((await get("/icon.svg", { "if-none-match": 'W/"other"' }))?.status).toBe(200);
});

test("serves no file outside the build", async () => {
  const paths = ["/.source-hash", "/../package.json", "/%2e%2e/package.json", "/assets/"];
  for (const path of [...paths, "/assets/main-abc.js.br", "/assets\\..\\..\\package.json"])
    expect(await get(path)).toBeUndefined();
});

test("serves a new build without a restart, and the former one during a build", async () => {
  const app = openWebApp(folder);
  const page = async () =>
    (await app(new Request("http://localhost/", { headers: HTML })))?.text();
  expect(await page()).toBe(PAGE);
  await rm(join(folder, "index.html"));
  expect(await page()).toBe(PAGE);
  await writeFile(join(folder, "index.html"), "new");
  await utimes(join(folder, "index.html"), new Date(), new Date(Date.now() + 10_000));
  expect(await page()).toBe("new");
});

test("says how to build the app when there is no build", async () => {
  await rm(join(folder, "index.html"));
  await expect(get("/", HTML)).rejects.toMatchObject({
    status: 404,
    code: "web_app_not_built",
  });
});
