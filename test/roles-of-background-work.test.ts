import { createHmac } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type * as KnownUsers from "../src/services/users/accounts/known-users.ts";
import { askBelow } from "./support/ask.ts";
import { automationsOf } from "./support/automations.ts";
import { flowServer } from "./support/flow-server.ts";

/** What runs without a token: the roles that a user has through a group alone, and absent users. */
const absence = vi.hoisted(() => ({ isLong: false }));
vi.mock("../src/services/users/accounts/known-users.ts", async (original) => {
  const actual = await original<typeof KnownUsers>();
  const standingNow: typeof actual.standingNow = async (...asked) => ({
    ...(await actual.standingNow(...asked)),
    absent: absence.isLong,
  });
  return { ...actual, standingNow };
});

let at: Awaited<ReturnType<typeof flowServer>>;
let serial = 0;
let member: { id: string; token: string };
let membership: string;
const ask = askBelow(() => at.parlance, "");

beforeAll(async () => {
  at = await flowServer();
  await ask("POST", "/api/v1/roles", { body: { name: "nothing", permissions: [] } });
});
afterAll(() => at[Symbol.asyncDispose]());
beforeEach(async () => {
  absence.isLong = false;
  serial += 1;
  const email = `member${serial}@test.example`;
  const password = "a long enough password";
  const user = { email, name: "Member", password, roles: ["nothing"] };
  const { id } = (await ask("POST", "/api/v1/users", { body: user })).body;
  const group = { name: `Group ${serial}`, roles: ["user"] };
  const groupId = (await ask("POST", "/api/v1/groups", { body: group })).body.id;
  membership = `/api/v1/groups/${groupId}/members/${id}`;
  await ask("PUT", membership);
  member = { id, token: await at.parlance.signIn(email, password) };
});

test("runs of automations have the roles of a group, until their user leaves it", async () => {
  const automations = automationsOf(at.parlance, member.token);
  await automations.rule({ agents: [await automations.agent("one")] });
  const { body } = await automations.send("some words", "words.txt");
  expect((await automations.ended(body.runId)).status).toBe("completed");
  const hook = await newHook();
  expect(await post(hook)).toBe(202);
  await ask("DELETE", membership);
  expect(await post(hook)).toBe(404);
});

test("a flow key has the roles of a group, until its user leaves it", async () => {
  const run = await newFlowKey();
  expect(await run()).toBe(200);
  await ask("DELETE", membership);
  expect(await run()).toBe(403);
  await ask("PUT", membership);
  expect(await run()).toBe(200);
});

test("nothing runs for a user whose issuer has been silent for too long, until the next token", async () => {
  const automations = automationsOf(at.parlance, member.token);
  await automations.rule({ agents: [await automations.agent("one")] });
  const [hook, runFlow] = [await newHook(), await newFlowKey()];
  absence.isLong = true;
  expect([await post(hook), await runFlow()]).toEqual([404, 401]);
  const { body } = await automations.send("some words", "words.txt");
  expect((await automations.ended(body.runId, 90_000)).error?.code).toBe("user_absent");
  absence.isLong = false;
  expect([await post(hook), await runFlow()]).toEqual([202, 200]);
});

async function newHook(): Promise<{ id: string; secret: string }> {
  const automations = automationsOf(at.parlance, member.token);
  const source = { kind: "webhook", name: "Hook" };
  const { body } = await automations.ask("POST", "/api/automations/sources", source);
  return { id: String(body["id"]), secret: String(body["secret"]) };
}

/** @returns runs a flow with a new key of the member, for the status of the answer. */
async function newFlowKey(): Promise<() => Promise<number>> {
  const flowId = await at.newFlow(at.parlance.token);
  const { body } = await at.grant(member.id, flowId);
  return async () => {
    const answer = await at.parlance.request(`/api/v1/flowengine/${flowId}/run`, {
      token: null,
      headers: { "x-api-key": String(body["apiKey"]) },
      body: { input: "hello" },
    });
    await answer.body?.cancel();
    return answer.status;
  };
}

/** The status of a signed message to a webhook. */
async function post(hook: { id: string; secret: string }): Promise<number> {
  const [id, time] = [`msg_${(serial += 1)}`, String(Math.floor(Date.now() / 1_000))];
  const key = Buffer.from(hook.secret.slice("whsec_".length), "base64");
  const signature = createHmac("sha256", key)
    .update(`${id}.${time}.words`)
    .digest("base64");
  const headers = {
    "content-type": "text/plain",
    "webhook-id": id,
    "webhook-timestamp": time,
    "webhook-signature": `v1,${signature}`,
  };
  const response = await fetch(`${at.parlance.url}/api/automations/hooks/${hook.id}`, {
    method: "POST",
    headers,
    body: "words",
  });
  await response.body?.cancel();
  return response.status;
}
