import { request } from "node:http";
import { hostname } from "node:os";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadServices } from "../src/server/services.ts";
import type { AnyRoute } from "../src/platform/http/route.ts";
import { type TestServer, startTestServer } from "./support/server.ts";
import { held } from "./support/held.ts";
import { sendRaw } from "./support/send-raw.ts";

/** Routes between services: open on INTERNAL_PORT; on PORT they require a credential. */
const definitions = await loadServices();
const serviceRoutes = definitions
  .flatMap(({ contract }): AnyRoute[] => Object.values(contract))
  .filter(({ access }) => [access].flat().includes("internal"));
const CONFIG = "/api/v1/services-config/models-providers";
const SECRET = "a-secret-between-services";

let parlance: TestServer;
beforeAll(async () => {
  parlance = await startTestServer({ SERVICE_SECRET: SECRET });
});
afterAll(() => parlance[Symbol.asyncDispose]());

interface Answer {
  status: number;
  code: string;
  error: string;
}

/** Sends a request with `node:http`, which does not change the headers. */
function send(
  base: string,
  headers: Record<string, string>,
  { method, path }: Pick<AnyRoute, "method" | "path"> = { method: "get", path: CONFIG },
): Promise<Answer> {
  const { hostname: to, port } = new URL(base);
  const body = method === "get" ? "" : "{}";
  const options = {
    hostname: to.replace(/^\[|\]$/g, ""),
    port,
    path: path.replace(/:\w+/g, "00000000-0000-7000-8000-000000000000"),
    method: method.toUpperCase(),
    headers: {
      "content-type": "application/json",
      "content-length": body.length,
      ...headers,
    },
  };
  return new Promise((resolve, reject) => {
    const sent = request(options, async (answer) => {
      let text = "";
      for await (const chunk of answer) text += String(chunk);
      const told = (text.startsWith("{") ? JSON.parse(text) : {}) as Answer;
      resolve({ ...told, status: answer.statusCode ?? 0 });
    });
    sent.on("error", reject).end(body);
  });
}

/** Requests as this machine, a proxy or a browser sends them. */
const LOOKS: Record<string, Record<string, string>> = {
  "straight from this machine": {},
  "by the name of this machine": { host: "localhost" },
  "by an undeclared proxy with its own host": { host: "parlance.example" },
  "by a declared proxy": { "x-forwarded-for": "203.0.113.9", "x-forwarded-proto": "https" },
  "that claims to be forwarded for this machine": { "x-forwarded-for": "127.0.0.1" },
  "from a web page": { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
  "with the header of INTERNAL_PORT's names": { "x-forwarded-host": "localhost:4001" },
};

describe("PORT", () => {
  test.each(Object.entries(LOOKS))(
    "answers no route between services without a credential, %s",
    async (_, headers) => {
      expect(serviceRoutes.length).toBeGreaterThan(15);
      for (const route of serviceRoutes) {
        const { status, error } = await send(parlance.url, headers, route);
        expect([route.path, status]).toEqual([route.path, 401]);
        expect(error).toContain("INTERNAL_PORT");
      }
      held("deny-by-default", serviceRoutes.length);
    },
  );

  test("accepts the service secret as a service, and no wrong one", async () => {
    const secret = (value: string) => ({ "x-platform-service-secret": value });
    expect((await send(parlance.url, secret(SECRET))).status).toBe(200);
    expect((await send(parlance.url, secret(`${SECRET}.`))).status).toBe(401);
  });
});

describe("INTERNAL_PORT", () => {
  test.each([
    ["its address", {}],
    ["localhost", { host: "localhost" }],
    ["localhost with the port of a tunnel", { host: "localhost:5000" }],
    ["the name of the machine", { host: hostname() }],
    [
      "what a proxy in a service mesh adds",
      { "x-forwarded-proto": "http", via: "1.1 mesh" },
    ],
  ])("answers without a credential, called by %s", async (_, headers) => {
    expect((await send(parlance.internalUrl, headers)).status).toBe(200);
  });

  test("answers the fetch of Node.js", async () => {
    expect((await fetch(parlance.internalUrl + CONFIG)).status).toBe(200);
  });

  test.each([
    ["evil.example", 421, "host_unknown"],
    ["localhost.evil.example", 421, "host_unknown"],
    ["127.0.0.1.nip.example", 421, "host_unknown"],
    ["10.0.0.1", 421, "host_unknown"],
    ["localhost@evil.example", 400, undefined],
  ])("refuses the host %j, as DNS rebinding sends it", async (host, status, code) => {
    expect(await send(parlance.internalUrl, { host })).toMatchObject({
      status,
      ...(code && { code }),
    });
  });

  test.each(["origin", "cookie", "sec-fetch-site", "sec-fetch-dest", "sec-fetch-user"])(
    "refuses a request with the browser's header %s",
    async (name) => {
      expect(await send(parlance.internalUrl, { [name]: "none" })).toMatchObject({
        status: 403,
        code: "browser_refused",
      });
    },
  );

  test.each([[[""]], [[]]])("refuses the Host headers %j", async (hosts) => {
    expect([400, 421]).toContain(
      await sendRaw(parlance.internalUrl, `GET ${CONFIG}`, hosts),
    );
  });

  test("refuses a request target that names another host than the header", async () => {
    const status = await sendRaw(parlance.internalUrl, `GET http://localhost${CONFIG}`, [
      "localhost",
    ]);
    expect(status).toBe(421);
  });
});

test.each(["url", "internalUrl"] as const)(
  "a second Host header is refused on %s, whichever is right",
  async (listener) => {
    const target = "GET /healthz";
    expect(await sendRaw(parlance[listener], target, ["localhost"])).toBe(200);
    for (const hosts of [
      ["localhost", "evil.example"],
      ["evil.example", "localhost"],
      ["localhost", "localhost"],
    ])
      expect([hosts, await sendRaw(parlance[listener], target, hosts)]).toEqual([
        hosts,
        400,
      ]);
  },
);

test("a development setting opens them on PORT to this machine, and not to browsers or proxies", async () => {
  await using open = await startTestServer({ DEV_OPEN_SERVICE_ROUTES: "true" });
  expect((await send(open.url, {})).status).toBe(200);
  expect((await send(open.url, { host: "evil.example" })).status).toBe(401);
  expect((await send(open.url, { origin: "http://localhost:3000" })).status).toBe(401);
});

test.each([
  ["PUBLIC_URL", "https://parlance.example"],
  ["TRUST_PROXY", "true"],
  ["HOST", "0.0.0.0"],
])("the development setting and %s together stop the start", async (name, value) => {
  const start = startTestServer({ DEV_OPEN_SERVICE_ROUTES: "true", [name]: value });
  await expect(start).rejects.toThrow(/DEV_OPEN_SERVICE_ROUTES: .*INTERNAL_PORT/);
});
