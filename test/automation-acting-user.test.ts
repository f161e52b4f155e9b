import { createHmac } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Automations, automationsOf } from "./support/automations.ts";
import { type TestServer, startTestServer } from "./support/server.ts";

const email = "eve@test.example";
const password = "a long enough password";
let parlance: TestServer;
let admin: Automations;
let eve: Automations;
let userId: string;
let hook: { id: string; secret: string };

beforeAll(async () => {
  parlance = await startTestServer();
  admin = automationsOf(parlance, parlance.token);
  const made = await admin.ask("POST", "/api/v1/users", { email, name: "Eve", password });
  userId = String(made.body["id"]);
  eve = automationsOf(parlance, await parlance.signIn(email, password));
  const source = { kind: "webhook", name: "Hook" };
  hook = (await eve.ask("POST", "/api/automations/sources", source))
    .body as unknown as typeof hook;
});
afterAll(() => parlance[Symbol.asyncDispose]());

let serial = 0;
const post = async (): Promise<number> => {
  const [id, time] = [`msg_${(serial += 1)}`, String(Math.floor(Date.now() / 1_000))];
  const key = Buffer.from(hook.secret.slice("whsec_".length), "base64");
  const signature = createHmac("sha256", key)
    .update(`${id}.${time}."words"`)
    .digest("base64");
  const response = await parlance.request(`/api/automations/hooks/${hook.id}`, {
    method: "POST",
    token: null,
    body: "words",
    headers: {
      "webhook-id": id,
      "webhook-timestamp": time,
      "webhook-signature": `v1,${signature}`,
    },
  });
  await response.body?.cancel();
  return response.status;
};
const change = async (user: object) => {
  const changed = await admin.ask("PATCH", `/api/v1/users/${userId}`, user);
  expect(changed.status).toBe(200);
};

test("a webhook acts for its owner only while the owner's account and roles permit it", async () => {
  expect(await post()).toBe(202);
  await change({ roles: ["reader"] });
  await vi.waitFor(async () => expect(await post()).toBe(404), 90_000);
  await change({ roles: ["user"] });
  await vi.waitFor(async () => expect(await post()).toBe(202), 90_000);
  await change({ disabled: true });
  expect(await post()).toBe(404);
  const log = await admin.get<{ items: unknown[] }>("/api/automations/runs");
  expect(log.items).toEqual([]);
});
