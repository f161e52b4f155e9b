import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { refuseBrowser } from "../../src/platform/http/own-host.ts";
import { sendRaw } from "../support/send-raw.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

/**
 * Strangers ask for what only services may read: against the two listeners, and against the same
 * listeners with a defence switched off.
 */
const check = vi.hoisted(() => ({ isOff: false }));
vi.mock("../../src/platform/http/own-host.ts", async (original) => {
  const actual = await original<{ refuseBrowser: typeof refuseBrowser }>();
  const refuse: typeof refuseBrowser = (incoming, names) =>
    check.isOff ? undefined : actual.refuseBrowser(incoming, names);
  return { ...actual, refuseBrowser: refuse };
});
beforeEach(() => {
  check.isOff = false;
});

const BETWEEN_SERVICES = "GET /api/v1/services-config/models-providers";

let parlance: TestServer;
beforeAll(async () => {
  parlance = await startTestServer();
});
afterAll(() => parlance[Symbol.asyncDispose]());

describe("PORT wants a credential between services, also from this machine", () => {
  // as an undeclared proxy on this machine passes on what a stranger sent
  const ask = (base: string) => sendRaw(base, BETWEEN_SERVICES, ["localhost"]);

  test("a request by an undeclared proxy is refused", async () => {
    expect(await ask(parlance.url)).toBe(401);
  });

  test("off: it is answered while connections of this machine are trusted", async () => {
    await using open = await startTestServer({ DEV_OPEN_SERVICE_ROUTES: "true" });
    expect(await ask(open.url)).toBe(200);
  });
});

describe("INTERNAL_PORT answers to its own names", () => {
  // as a browser asks after DNS rebinding
  const ask = () => sendRaw(parlance.internalUrl, BETWEEN_SERVICES, ["evil.example"]);

  test("a request for another name is refused", async () => {
    expect(await ask()).toBe(421);
  });

  test("off: without the check of the name it is answered", async () => {
    check.isOff = true;
    expect(await ask()).toBe(200);
  });
});

describe("one Host header", () => {
  const hosts = ["localhost", "evil.example"];

  test("a second one is refused on both listeners", async () => {
    for (const base of [parlance.url, parlance.internalUrl])
      expect(await sendRaw(base, "GET /healthz", hosts)).toBe(400);
  });

  test("off: Node.js by itself answers, by the first", async () => {
    const seen: (string | undefined)[] = [];
    const server = createServer(({ headers }, response) => {
      seen.push(headers.host);
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo; // a TCP server has one
    expect(await sendRaw(`http://127.0.0.1:${port}`, "GET /healthz", hosts)).toBe(200);
    expect(seen).toEqual(["localhost"]);
    await new Promise((resolve) => server.close(resolve));
  });
});
