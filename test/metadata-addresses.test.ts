import dns from "node:dns";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type TestServer, startTestServer } from "./support/server.ts";
import { held } from "./support/held.ts";

/** URLs of cloud credentials that users might enter, with private networks allowed. */
let parlance: TestServer;
beforeAll(async () => {
  parlance = await startTestServer({
    OUTGOING_ALLOW: "private,169.254.0.0/16,models.example",
  });
});
afterAll(() => parlance[Symbol.asyncDispose]());

const HOSTS = [
  "169.254.169.254",
  "[fd00:ec2::254]",
  "100.100.100.200",
  "metadata.google.internal",
];
const provider = (host: string) => ({
  name: "cloud",
  kind: "openai-compatible",
  config: { baseUrl: `http://${host}/v1`, apiKey: "sk-not-for-a-cloud" },
});

test.each(HOSTS)(
  "%s is refused when a tool server or a provider is saved",
  async (host) => {
    const server = { name: "cloud", url: `http://${host}/mcp` };
    for (const [path, body] of [
      ["/api/v1/mcp-servers", server],
      ["/api/v1/model-providers", provider(host)],
    ] as const) {
      const answer = await parlance.request(path, { body });
      expect([path, answer.status]).toEqual([path, 400]);
      expect(await answer.text()).toContain("address_not_allowed");
      held("outgoing-addresses");
    }
  },
);

test("a provider's name that resolves to a metadata address is refused when it is called", async () => {
  const made = await parlance.request("/api/v1/model-providers", {
    body: provider("models.example"),
  });
  expect(made.status).toBe(201);
  const { lookup } = dns;
  const resolved = vi
    .spyOn(dns, "lookup")
    .mockImplementation(((name: string, options: object, callback: Function) =>
      name === "models.example"
        ? callback(null, [{ address: "169.254.169.254", family: 4 }])
        : lookup(name, options, callback as never)) as never); // as `all` asks it
  try {
    const tried = await parlance.request("/api/v1/model-providers/cloud/test", {
      method: "POST",
    });
    expect(await tried.json()).toMatchObject({
      ok: false,
      error: { code: "address_not_allowed" },
    });
    expect(resolved.mock.calls.map(([name]) => name)).toContain("models.example");
  } finally {
    resolved.mockRestore();
  }
});

test("our own ports are refused even if private networks are allowed", async () => {
  for (const base of [parlance.url, parlance.internalUrl]) {
    const body = { name: "ourselves", url: `${base}/api/v1/conversation/multiple` };
    const answer = await parlance.request("/api/v1/mcp-servers", { body });
    expect([base, answer.status]).toEqual([base, 400]);
  }
});
