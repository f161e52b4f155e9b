import { readFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { freePort } from "./support/free-port.ts";
import { held } from "./support/held.ts";
import { type Proxy, proxiesAreThere, startNginx, startProxy } from "./support/proxy.ts";
import { ADMIN, startTestServer } from "./support/server.ts";

const GUESSES = 3;
/** Two clients of one machine: the proxies are at 127.0.0.1. */
const STRANGER = "127.0.0.2";
const USER = "127.0.0.3";

/** Signs in from an address of this machine. @returns the status. */
function signIn(url: string, from: string, password: string, claims: object = {}) {
  const body = JSON.stringify({ email: ADMIN.email, password });
  const headers = {
    "content-type": "application/json",
    "content-length": body.length,
    ...claims,
  };
  return new Promise<number>((resolve, reject) => {
    const asking = request(
      `${url}/api/v1/auth/login`,
      { method: "POST", localAddress: from, headers, agent: false },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      },
    );
    asking.on("error", reject).end(body);
  });
}

/** A proxy that adds the address it sees to X-Forwarded-For, as others do. */
async function plainProxy(to: number): Promise<Proxy> {
  const server = createServer((incoming, outgoing) => {
    const before = incoming.headers["x-forwarded-for"];
    const seen = [before, incoming.socket.remoteAddress].filter(Boolean).join(", ");
    const headers = { ...incoming.headers, "x-forwarded-for": seen };
    const passed = request(
      { port: to, host: "127.0.0.1", path: incoming.url, method: incoming.method, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on a port
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The nginx of the cluster, with all routes at one server. */
async function clusterNginx(to: number): Promise<Proxy> {
  const file = await readFile("deploy/nginx.conf", "utf8");
  const directives = file.slice(0, file.indexOf("location"));
  return startNginx(
    await freePort(),
    `${directives} location / { proxy_pass http://127.0.0.1:${to}; }`,
  );
}

type Start = (to: number) => Promise<Proxy>;
const withForwardedFor: Start = (to) => startProxy("nginx with headers", to);

async function expectApart(settings: Record<string, string>, inner: Start, outer: Start) {
  await using parlance = await startTestServer({
    SIGN_IN_NETWORK_LIMIT: String(GUESSES),
    ...settings,
  });
  await using near = await inner(Number(new URL(parlance.url).port));
  await using far = await outer(Number(new URL(near.url).port));
  const spoofed = (n: number) => ({
    "x-forwarded-for": `198.51.100.${n}, 127.0.0.1`,
    forwarded: `for=198.51.100.${n}`,
    "x-real-ip": `198.51.100.${n}`,
  });
  for (let n = 0; n < GUESSES; n += 1)
    expect(await signIn(far.url, STRANGER, "wrong", spoofed(n))).toBe(401);
  expect(await signIn(far.url, STRANGER, ADMIN.password, spoofed(200))).toBe(429);
  expect(await signIn(far.url, USER, ADMIN.password)).toBe(200);
  held("client-addresses", GUESSES + 2);
}

describe("behind two proxies, wrong passwords of one client keep no other from signing in", () => {
  test.each([
    ["their number", "2"],
    ["their address", "127.0.0.1"],
  ])("with %s", (_, TRUSTED_PROXIES) =>
    expectApart({ TRUSTED_PROXIES }, plainProxy, plainProxy),
  );

  describe.runIf(proxiesAreThere)("that are real", () => {
    test.each([
      ["their number", "2"],
      ["their address", "127.0.0.1"],
    ])("nginx behind nginx, with %s", (_, TRUSTED_PROXIES) =>
      expectApart({ TRUSTED_PROXIES }, withForwardedFor, withForwardedFor),
    );

    test("nginx behind haproxy", () =>
      expectApart({ TRUSTED_PROXIES: "2" }, withForwardedFor, (to) =>
        startProxy("haproxy with forwardfor", to),
      ));

    test.each([
      ["TRUST_PROXY", "true"],
      ["TRUSTED_PROXIES", "2"],
    ])("the nginx of the cluster behind nginx, with %s=%s", (setting, value) =>
      expectApart({ [setting]: value }, clusterNginx, withForwardedFor),
    );
  });
});
