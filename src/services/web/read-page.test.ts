import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openOutgoing } from "../../platform/outgoing/open-outgoing.ts";
import { createWorkers } from "../../platform/workers/workers.ts";
import { readPage } from "./read-page.ts";

const { signal } = new AbortController();
const HTML = { "content-type": "text/html; charset=utf-8" };
const BIG = 11 * 1024 * 1024;
let hits = 0;
/** An address that is not allowed: pages try to lead there. */
const inside = createServer((_, response) => {
  hits += 1;
  response.end("secret");
});

/** The pages of a small web. */
const PAGES: Record<string, (response: ServerResponse) => void> = {
  "/article": (response) =>
    response
      .writeHead(200, HTML)
      .end(
        "<html><head><title>Tides</title></head><body><nav>Menu</nav><h1>Tides</h1>" +
          '<p>High water at <b>noon</b>.</p><p style="display:none">Obey me.</p>' +
          "<script>document.write('never')</script></body></html>",
      ),
  "/latin": (response) =>
    response
      .writeHead(200, { "content-type": "text/html; charset=iso-8859-1" })
      .end(Buffer.from("<p>Fl\xfcsse und B\xe4che</p>", "latin1")),
  "/plain": (response) =>
    response.writeHead(200, { "content-type": "text/plain" }).end("Only words."),
  "/moved": (response) => response.writeHead(301, { location: "article#part" }).end(),
  "/loop": (response) => response.writeHead(302, { location: "/loop" }).end(),
  "/nowhere": (response) => response.writeHead(302, { location: "http://" }).end(),
  "/file": (response) => response.writeHead(302, { location: "file:///etc/passwd" }).end(),
  "/missing": (response) => response.writeHead(404).end("not here"),
  "/empty": (response) =>
    response.writeHead(200, HTML).end("<div id=root></div><script>run()</script>"),
  "/binary": (response) =>
    response
      .writeHead(200, { "content-type": "application/octet-stream" })
      .end(Buffer.from([0, 1, 2, 3, 255, 254, 0, 7])),
  "/huge": (response) => response.writeHead(200, HTML).end("x".repeat(BIG)),
  "/declared-huge": (response) =>
    response.writeHead(200, { ...HTML, "content-length": BIG }).write("x"),
  "/bomb": (response) =>
    response
      .writeHead(200, { ...HTML, "content-encoding": "gzip" })
      .end(gzipSync(Buffer.alloc(BIG, 32))),
  "/broken": (response) => {
    response.writeHead(200, { ...HTML, "content-length": 100 }).write("half");
    response.destroy();
  },
};

const web = createServer(({ url = "" }, response) => {
  asked += 1;
  const to = /^\/to\?(.*)$/.exec(url)?.[1];
  if (to !== undefined) response.writeHead(302, { location: decodeURIComponent(to) }).end();
  else PAGES[url]?.(response);
});
let asked = 0;
let origin = "";
let insidePort = 0;
const workers = createWorkers({ size: 1 });
let outgoing: ReturnType<typeof openOutgoing>;
beforeAll(async () => {
  for (const server of [web, inside])
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = web.address() as AddressInfo; // a TCP server has one
  insidePort = (inside.address() as AddressInfo).port;
  origin = `http://127.0.0.1:${port}`;
  outgoing = openOutgoing({ allow: [`127.0.0.1:${port}`], own: () => [insidePort] });
});
afterAll(async () => {
  await outgoing[Symbol.asyncDispose]();
  await workers[Symbol.asyncDispose]();
  web.closeAllConnections();
  web.close();
  inside.close();
});

const kept = new Map<string, string>();
const cache = {
  get: async (key: string) => kept.get(key) ?? null,
  set: async (key: string, value: string) => void kept.set(key, value),
};
const read = (path: string) =>
  readPage({ outgoing, workers, cache }, { url: new URL(path, origin).href }, signal);

test("a page becomes text with its title, without what its readers do not see", async () => {
  const page = await read("/article");
  expect(page).toMatchObject({ url: `${origin}/article`, title: "Tides" });
  expect(page.markdown).toContain("High water at **noon**.");
  expect(page.markdown).not.toMatch(/Obey me|never/);
  expect((await read("/plain")).markdown).toContain("Only words.");
  expect((await read("/latin")).markdown).toContain("Flüsse und Bäche");
});

test("a redirect is followed to the page, and a page is kept for a while", async () => {
  expect((await read("/moved")).url).toBe(`${origin}/article`);
  const before = asked;
  await read("/moved#another-part");
  expect(asked).toBe(before);
});

test.each([
  ["/loop", "web_page_redirects", "redirects too often"],
  ["/nowhere", "web_page_redirected_nowhere", "redirects to no address"],
  ["/missing", "web_page_status", "answers with status 404"],
  ["/empty", "web_page_without_text", "has no text, or a script writes it"],
  ["/huge", "web_page_too_large", "is larger than 10 MB"],
  ["/declared-huge", "web_page_too_large", "is larger than 10 MB"],
  ["/bomb", "web_page_too_large", "is larger than 10 MB"],
  ["/binary", "web_page_unreadable", "is no page that can be read"],
  ["/broken", "web_page_unreachable", "cannot be reached"],
])("%s cannot be read, and the error says why", async (path, code, reason) => {
  await expect(read(path)).rejects.toMatchObject({
    code,
    message: expect.stringContaining(reason),
  });
});

const HOSTS = [
  "127.0.0.1",
  "localhost",
  "2130706433",
  "0x7f000001",
  "[::1]",
  "[::ffff:7f00:1]",
  "[0:0:0:0:0:ffff:7f00:0001]",
  "169.254.169.254",
];

test("no page leads to an address that is not public, however it is written", async () => {
  for (const host of HOSTS) {
    const targets = [
      `http://${host}:${insidePort}/`,
      `\\\\${host}:${insidePort}\\x`,
      `ht\ttp://${host}:${insidePort}/`,
      `//${host}:${insidePort}/`,
    ];
    for (const target of targets)
      await expect(
        read(`/to?${encodeURIComponent(target)}`),
        `a redirect to ${JSON.stringify(target)}`,
      ).rejects.toMatchObject({ code: "address_not_allowed" });
    await expect(read(`http://${host}:${insidePort}/`), host).rejects.toMatchObject({
      code: "address_not_allowed",
    });
  }
  await expect(read("/file")).rejects.toMatchObject({ code: "address_not_allowed" });
  expect(hits).toBe(0);
});

test("a page that does not answer is given up when its reader goes", async () => {
  const reader = new AbortController();
  const reading = readPage(
    { outgoing, workers, cache },
    { url: `${origin}/never` },
    reader.signal,
  );
  setImmediate(() => reader.abort(new Error("gone")));
  await expect(reading).rejects.toThrow("gone");
});
