import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "./support/server.ts";

/** What Prometheus' own tool says of /metrics. `scripts/promtool` finds or fetches it. */

const promtool = process.env["PROMTOOL"] ?? "";
let parlance: TestServer;
beforeAll(async () => {
  parlance = await startTestServer();
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
});

async function check(metrics: string): Promise<{ code: unknown; said: string }> {
  const child = spawn(promtool, ["check", "metrics"], { stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.end(metrics);
  const [out, error, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code, said: out + error };
}

test.skipIf(promtool === "")("promtool finds nothing wrong with /metrics", async () => {
  for (const path of ["/healthz", "/api/v1/available-models", "/none"])
    await parlance.request(path);
  await parlance.request("/v1/chat/completions", {
    body: { model: "none", messages: [{ role: "user", content: "Hello" }] },
  });
  const metrics = await (await fetch(`${parlance.url}/metrics`)).text();
  expect(metrics).toContain("# TYPE");
  expect(await check(metrics)).toEqual({ code: 0, said: "" });
  // and it does look
  const wrong = "# TYPE parlance_wrong counter\nparlance_wrong 1\n";
  expect(await check(metrics + wrong)).toMatchObject({
    code: 3,
    said: expect.stringContaining("parlance_wrong"),
  });
});
