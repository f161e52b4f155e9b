import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestServer, startTestServer } from "./support/server.ts";
import { held } from "./support/held.ts";

let parlance: TestServer;
beforeAll(async () => {
  parlance = await startTestServer();
});
afterAll(() => parlance[Symbol.asyncDispose]());

const GUARDED = [
  "/api/v1/users",
  "/api/v1/budgets",
  "/api/v1/mcp-servers",
  "/api/v1/services-config/models-providers",
];
/** Spellings of a path that a guard and a router might interpret differently. */
const MUTATIONS: ((path: string) => string)[] = [
  (path) => path,
  (path) => `/${path}`,
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `${path}/.`,
  (path) => `${path}/../${path.split("/").at(-1)}`,
  (path) => `/.${path}`,
  (path) => `/x/..${path}`,
  (path) => `/healthz/..${path}`,
  (path) => `/healthz/%2e%2e${path}`,
  (path) => `/healthz/..%2f${path.slice(1)}`,
  (path) => path.replaceAll("/", "%2f").replace("%2f", "/"),
  (path) => path.replaceAll("/", "\\").replace("\\", "/"),
  (path) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => path.replace(/[a-z]$/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => path.replace(/[a-z]$/, (letter) => `%25${letter.charCodeAt(0).toString(16)}`),
  (path) => path.toUpperCase(),
  (path) => `${path};a=b`,
  (path) => `${path}%00`,
  (path) => `${path}%20`,
  (path) => `${path}?/healthz`,
  (path) => `${path}#/healthz`,
  (path) => `http://healthz.example${path}`,
];
const METHODS = ["GET", "HEAD", "OPTIONS", "TRACE", "get", "PROPFIND"];

/** Sends the path unchanged, which `fetch` would not do. @returns the status. */
function send(method: string, path: string, headers = ""): Promise<number> {
  const { hostname, port } = new URL(parlance.url);
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(Number(port), hostname, () =>
      socket.write(
        `${method} ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n${headers}\r\n`,
      ),
    );
    socket
      .on("data", (chunk: Buffer) => (answer += chunk.toString("latin1")))
      .on("error", reject)
      .on("close", () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])));
  });
}

test("no spelling of a guarded path, with any method, opens it without a credential", async () => {
  for (const path of GUARDED)
    expect([
      path,
      await send("GET", path, `Authorization: Bearer ${parlance.token}\r\n`),
    ]).toEqual([path, 200]);
  const asked = GUARDED.flatMap((path) =>
    MUTATIONS.flatMap((mutate) => METHODS.map((method) => [method, mutate(path)] as const)),
  );
  expect(asked.length).toBeGreaterThan(500);
  const opened: string[] = [];
  for (let from = 0; from < asked.length; from += 50)
    await Promise.all(
      asked.slice(from, from + 50).map(async ([method, path]) => {
        const status = await send(method, path);
        if (!(status >= 400 && status < 500)) opened.push(`${method} ${path}: ${status}`);
      }),
    );
  expect(opened).toEqual([]);
  held("deny-by-default", asked.length);
});
