import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "./support/free-port.ts";
import { held } from "./support/held.ts";
import { startTestServer, type TestServer } from "./support/server.ts";

const SECRET = "a-service-secret-of-the-test";
const HEALTH = [
  "/health",
  "/api/v1/health",
  "/readyz",
  "/health/readiness",
  "/health/readyz",
];
const DETAILED = [...HEALTH, "/health/detailed"];
const FLOWS = ["/api/v1/integrations/health"];
const BETWEEN_SERVICES = "/api/v1/services-config/models-providers";

const secret = { "x-platform-service-secret": SECRET };
const stranger = { token: null };

const port = String(await freePort());
const PUBLIC = { PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` };

describe.each([
  PUBLIC,
  { TRUST_PROXY: "true" },
  { TRUSTED_PROXIES: "10.0.0.0/8" },
  { HOST: "0.0.0.0" },
] as Record<string, string>[])(
  "where others than this machine reach PORT: %o",
  (settings) => {
    let parlance: TestServer;
    beforeAll(async () => {
      parlance = await startTestServer({
        SERVICE_SECRET: SECRET,
        INTERNAL_PORT: "0",
        ...settings,
      });
    }, 60_000);
    afterAll(() => parlance[Symbol.asyncDispose]());

    test("strangers read whether it works, and nothing else", async () => {
      for (const path of DETAILED) {
        const answer = await parlance.request(path, stranger);
        expect([path, answer.status, await answer.json()]).toEqual([
          path,
          200,
          { status: "ok" },
        ]);
      }
      const flows = await (await parlance.request(FLOWS[0] ?? "", stranger)).text();
      expect(flows).not.toMatch(/version|reason/);
      expect((await parlance.request("/metrics", stranger)).status).toBe(401);
      expect((await parlance.request("/healthz", stranger)).status).toBe(200);
      held("deny-by-default", DETAILED.length + 2);
    });

    test("administrators and services read all of it", async () => {
      for (const options of [{}, { token: null, headers: secret }]) {
        for (const path of DETAILED) {
          const answer = await parlance.request(path, options);
          expect([path, answer.status]).toEqual([path, 200]);
          expect(await answer.json()).toHaveProperty("checks");
        }
        const metrics = await parlance.request("/metrics", options);
        expect(await metrics.text()).toContain("# HELP");
      }
    });

    test("a user who is no administrator is a stranger there", async () => {
      const email = "user@test.example";
      const password = "a long enough password";
      await parlance.request("/api/v1/users", { body: { email, name: "User", password } });
      const token = await parlance.signIn(email, password);
      expect(await (await parlance.request("/health", { token })).json()).toEqual({
        status: "ok",
      });
      expect((await parlance.request("/metrics", { token })).status).toBe(403);
    });
  },
);

test("a PORT that only this machine reaches, and INTERNAL_PORT, show it to anybody", async () => {
  await using parlance = await startTestServer();
  for (const url of [parlance.url, parlance.internalUrl]) {
    expect(await (await fetch(`${url}/health`)).json()).toHaveProperty("checks");
    expect((await fetch(`${url}/metrics`)).status).toBe(200);
  }
});

test.each([
  ["PUBLIC_URL", PUBLIC.PUBLIC_URL],
  ["TRUST_PROXY", "true"],
  ["HOST", "0.0.0.0"],
  ["INTERNAL_HOST", "0.0.0.0"],
  ["PARSER_SERVICE_URL", "http://127.0.0.1:9"],
])("with %s, INTERNAL_PORT asks for a credential, too", async (name, value) => {
  const more = name === "PUBLIC_URL" ? PUBLIC : { [name]: value };
  const env = { SERVICE_SECRET: SECRET, INTERNAL_PORT: "", ...more };
  await using parlance = await startTestServer(env);
  const at = parlance.internalUrl.replace("0.0.0.0", "127.0.0.1") + BETWEEN_SERVICES;
  const refused = await fetch(at);
  expect(refused.status).toBe(401);
  expect(await refused.json()).toMatchObject({
    error: expect.stringMatching(/POST \/api\/v1\/auth\/login.*X-Platform-Service-Secret/i),
  });
  expect((await fetch(at, { headers: secret })).status).toBe(200);
  expect(
    (await fetch(parlance.internalUrl.replace("0.0.0.0", "127.0.0.1") + "/metrics")).status,
  ).toBe(200);
  held("deny-by-default", 1);
});
