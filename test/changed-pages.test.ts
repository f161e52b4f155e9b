import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askBelow } from "./support/ask.ts";
import { startTestServer, type TestServer } from "./support/server.ts";

const KEPT =
  "Tides\n\nHigh water is at noon on Monday, and low water at six in the evening.";
const PAGES: Record<string, string> = {
  "/same":
    "<p>Before.</p><h1>Tides</h1>  <p>High water is at noon on Monday, and low water at six in the   evening.</p>",
  "/changed":
    "<p>Before.</p><p>High water is at two on Monday, and low water at six in the evening.</p>",
  "/other": "<p>This page is for sale.</p>",
};
const web = createServer(({ url = "" }, response) => {
  const page = PAGES[url];
  if (page === undefined) response.writeHead(404).end();
  else response.writeHead(200, { "content-type": "text/html" }).end(`<body>${page}`);
});
let parlance: TestServer;
let origin = "";
const ask = askBelow(() => parlance, "/api/v1");
beforeAll(async () => {
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(web.address() as AddressInfo).port}`; // a TCP server has one
  parlance = await startTestServer({});
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  web.closeAllConnections();
  web.close();
});

const compare = async (url: string, content = KEPT) =>
  (await ask("POST", "/web-pages/compare", { body: { url, content } })).body;

test("a page that has the words still is the same, whatever its spaces are", async () => {
  expect(await compare(`${origin}/same`)).toMatchObject({
    state: "same",
    readAt: expect.any(String),
  });
});

test("a page that changed shows what was added and removed where it is most alike", async () => {
  const { state, changes } = await compare(`${origin}/changed`);
  expect(state).toBe("changed");
  const texts = (kind: string) =>
    (changes as { kind: string; text: string }[])
      .filter((one) => one.kind === kind)
      .map(({ text }) => text.trim());
  expect(texts("removed")).toContain("noon");
  expect(texts("added").join(" ")).toContain("two");
});

test("a page that has become another one changed, without a part to compare with", async () => {
  const answer = await compare(`${origin}/other`);
  expect(answer["state"]).toBe("changed");
  expect(answer["changes"]).toBeUndefined();
});

test("a page that is gone, and an address that is not allowed, say so", async () => {
  expect(await compare(`${origin}/gone`)).toMatchObject({
    state: "unreadable",
    problem: { code: "web_page_status", params: { status: "404" } },
  });
  expect(await compare("http://10.0.0.9/")).toMatchObject({
    state: "unreadable",
    problem: { code: "address_not_allowed" },
  });
  expect((await compare(`${origin}/same`, "x".repeat(10_001)))["code"]).toBe(
    "validation_failed",
  );
});
