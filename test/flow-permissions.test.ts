import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { askBelow, newPerson } from "./support/ask.ts";
import { accountOf, flowServer } from "./support/flow-server.ts";
import { eventsOf } from "./support/server.ts";
import { LANGFLOW_ADMIN_KEY } from "./support/fake-langflow/start-fake-langflow.ts";
import { held } from "./support/held.ts";

let at: Awaited<ReturnType<typeof flowServer>>;
let author: { id: string; token: string };
let serial = 0;
beforeAll(async () => {
  at = await flowServer();
  author = await person();
});
afterAll(() => at[Symbol.asyncDispose]());

const api = askBelow(() => at.parlance, "/api/v1");
const person = () => newPerson(at.parlance, `granted-${(serial += 1)}`);
const withKey = (key: string, flowId: string, body: object = { input: "by key" }) =>
  at.parlance.request(`/api/v1/flowengine/${flowId}/run`, {
    token: null,
    headers: { "x-api-key": key },
    body,
  });
const keyOf = (answer: { body: Record<string, unknown> }) => String(answer.body["apiKey"]);
const audited = async (action: string, flowId: string) =>
  (await api("GET", `/audit?action=${action}&resourceType=flow&resourceId=${flowId}`)).body
    .items;

test("the first grant creates the key (201); further ones add flows to the same key (200)", async () => {
  const anne = await person();
  const [one, two] = [await at.newFlow(author.token), await at.newFlow(author.token)];
  const first = await at.grant(anne.id, one);
  expect([first.status, Object.keys(first.body).sort()]).toEqual([
    201,
    ["apiKey", "message"],
  ]);
  expect(keyOf(first)).toMatch(/^fk_[\w-]{43}$/);
  const second = await at.grant(anne.id, two);
  expect([second.status, Object.keys(second.body).sort(), keyOf(second)]).toEqual([
    200,
    ["apiKey", "message"],
    keyOf(first),
  ]);
  const again = await at.grant(anne.id, two);
  expect([again.status, keyOf(again)]).toEqual([200, keyOf(first)]);
  const shown = await at.flows("GET", "/api-key", { token: anne.token });
  expect(shown.body).toMatchObject({ apiKey: keyOf(first), flows: [one, two] });
  for (const flowId of [one, two])
    expect((await withKey(keyOf(first), flowId)).status).toBe(200);
});

test("unknown and deleted users get no grant, and the key of a deleted user is refused", async () => {
  const flowId = await at.newFlow(author.token);
  const anne = await person();
  const key = keyOf(await at.grant(anne.id, flowId));
  expect((await withKey(key, flowId)).status).toBe(200);
  expect((await api("DELETE", `/users/${anne.id}`)).status).toBe(204);
  expect((await withKey(key, flowId)).status).toBe(401);
  expect((await at.grant(anne.id, flowId)).status).toBe(404);
  expect((await at.grant(randomUUID(), flowId)).status).toBe(404);
  await at.parlance.restart();
  expect((await withKey(key, flowId)).status).toBe(401);
});

test("concurrent grants create one key", async () => {
  const anne = await person();
  const flowIds = await Promise.all(
    Array.from({ length: 10 }, () => at.newFlow(author.token)),
  );
  const answers = await Promise.all(flowIds.map((flowId) => at.grant(anne.id, flowId)));
  expect(new Set(answers.map(keyOf)).size).toBe(1);
  expect(answers.map(({ status }) => status).sort()).toEqual([
    ...Array.from({ length: 9 }, () => 200),
    201,
  ]);
});

test("grants and revocations refuse as documented, with only `error` in the body", async () => {
  const flowId = await at.newFlow(author.token);
  const grant = (body: unknown, token?: string | null) =>
    at.flows("POST", "/admin/permissions/grant", {
      body,
      ...(token !== undefined && { token }),
    });
  const revoke = (body: unknown, token?: string | null) =>
    at.flows("POST", "/admin/permissions/revoke-group", {
      body,
      ...(token !== undefined && { token }),
    });
  const alone = { error: expect.any(String) as string };
  const detailed = { ...alone, details: expect.any(String) as string };
  const empty = (await api("POST", "/groups", { body: { name: "nobody" } })).body.id;
  for (const [answer, status, body] of [
    [await grant({ userId: author.id }), 400, alone],
    [await grant({ flowId }), 400, alone],
    [await grant({ userId: " ", flowId }), 400, alone],
    [await grant([]), 400, alone],
    [await grant({ userId: author.id, flowId: randomUUID() }), 404, alone],
    [await grant({ userId: author.id, flowId: "no/id" }), 404, alone],
    [await grant({ userId: author.id, flowId }, null), 401, alone],
    [await grant({ userId: author.id, flowId }, author.token), 401, alone],
    [await grant({}, author.token), 401, alone],
    [await revoke({}), 400, detailed],
    [await revoke({ userIds: [author.id] }), 400, detailed],
    [await revoke({ userIds: [], flowId }), 400, detailed],
    [await revoke({ userIds: "all", flowId }), 400, detailed],
    [await revoke({ groupId: empty, flowIds: [flowId] }), 400, alone],
    [await revoke({ groupId: randomUUID(), flowIds: [flowId] }), 400, alone],
    [await revoke({ userIds: [author.id], flowId }, null), 401, alone],
    [await revoke({ userIds: [author.id], flowId }, author.token), 401, alone],
  ] as const) {
    expect([answer.status, answer.body]).toEqual([status, body]);
  }
});

test("a failure of the provider is a 500 for the administrator, without its words", async () => {
  const anne = await person();
  const flowId = await at.newFlow(author.token);
  at.langflow.settings.failing = 500;
  const failed = await at.grant(anne.id, flowId);
  at.langflow.settings.failing = undefined;
  expect([failed.status, Object.keys(failed.body)]).toEqual([500, ["error"]]);
  expect(failed.text).not.toContain("Internal Server Error");
});

test("a flow of the operator's account has no owner, and can be granted", async () => {
  const anne = await person();
  const made = await fetch(`${at.langflow.url}/api/v1/flows/`, {
    method: "POST",
    headers: { "x-api-key": LANGFLOW_ADMIN_KEY, "content-type": "application/json" },
    body: JSON.stringify({ name: "The operator's", data: { nodes: [], edges: [] } }),
  });
  const { id } = (await made.json()) as { id: string };
  expect((await at.run(anne.token, id)).status).toBe(404);
  expect((await at.grant(anne.id, id)).status).toBe(201);
  expect((await at.run(anne.token, id)).body).toMatchObject({
    flowId: id,
    output: "hello",
  });
  expect((await at.flows("GET", "/flows", { token: anne.token })).body.items).toMatchObject(
    [{ id, name: "The operator's", owned: false }],
  );
});

test("revoking from users applies to each pair separately, at once, and leaves other grants", async () => {
  const [anne, bert, carl] = [await person(), await person(), await person()];
  const [flowId, other] = [await at.newFlow(author.token), await at.newFlow(author.token)];
  for (const { id } of [anne, bert])
    for (const flow of [flowId, other]) await at.grant(id, flow);
  const key = keyOf(await at.flows("GET", "/api-key", { token: anne.token }));
  const answer = await at.revoke({ userIds: [anne.id, carl.id], flowId });
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      success: true,
      message: "1 of 2 permissions were removed.",
      results: [
        {
          flowId,
          success: true,
          userResults: [
            { userId: anne.id, success: true },
            { userId: carl.id, success: false },
          ],
        },
      ],
    },
  ]);
  expect((await at.run(anne.token, flowId)).status).toBe(404);
  expect((await withKey(key, flowId)).status).toBe(404);
  expect((await at.run(bert.token, flowId)).status).toBe(200);
  // the key still works for the remaining grants
  expect((await withKey(key, other)).status).toBe(200);
  expect((await at.flows("GET", "/api-key", { token: anne.token })).body).toMatchObject({
    apiKey: key,
    flows: [other],
  });
  expect((await at.revoke({ userIds: [anne.id], flowId })).body).toMatchObject({
    success: false,
  });
  // only a new grant restores it
  expect((await at.grant(anne.id, flowId)).status).toBe(200);
  expect((await withKey(key, flowId)).status).toBe(200);
});

test("revoking from a group reaches its members and those of nested groups", async () => {
  const [anne, bert, carl] = [await person(), await person(), await person()];
  const [one, two] = [await at.newFlow(author.token), await at.newFlow(author.token)];
  const outer = (await api("POST", "/groups", { body: { name: `outer ${serial}` } })).body
    .id;
  const inner = (await api("POST", "/groups", { body: { name: `inner ${serial}` } })).body
    .id;
  await api("PUT", `/groups/${outer}/members/${anne.id}`);
  await api("PUT", `/groups/${inner}/members/${bert.id}`);
  await api("PUT", `/groups/${outer}/groups/${inner}`);
  for (const { id } of [anne, bert, carl]) await at.grant(id, one);
  await at.grant(anne.id, two);
  const answer = await at.revoke({ groupId: outer, flowIds: [one, two, randomUUID()] });
  expect([answer.status, answer.body]).toMatchObject([
    200,
    { success: true, message: "3 of 6 permissions were removed." },
  ]);
  expect(answer.body.results.map(({ success }) => success)).toEqual([true, true, false]);
  expect((await at.run(bert.token, one)).status).toBe(404);
  expect((await at.run(carl.token, one)).status).toBe(200);
});

test("a run in progress ends when its flow is revoked", async () => {
  const anne = await person();
  const flowId = await at.newFlow(author.token, "endless");
  await at.grant(anne.id, flowId);
  const response = await at.parlance.request(`/api/v1/flowengine/${flowId}/run`, {
    token: anne.token,
    body: { input: "go", stream: true },
  });
  const left = at.langflow.counts.runsLeft;
  await at.revoke({ userIds: [anne.id], flowId });
  expect((await eventsOf(response)).at(-1)).toMatchObject({
    event: "error",
    data: { code: "flow_revoked" },
  });
  await vi.waitFor(() => expect(at.langflow.counts.runsLeft).toBe(left + 1), 90_000);
});

test("grants and revocations are in the audit log, with both users, and in the list of permissions", async () => {
  const anne = await person();
  const flowId = await at.newFlow(author.token);
  await at.grant(anne.id, flowId);
  const { id: admin } = (await api("GET", "/auth/me")).body;
  const listed = await at.flows("GET", `/admin/permissions?flowId=${flowId}`);
  expect(listed.body).toMatchObject({
    total: 1,
    items: [{ userId: anne.id, flowId, grantedBy: admin }],
  });
  await at.revoke({ userIds: [anne.id], flowId });
  expect(await audited("flow.granted", flowId)).toMatchObject([
    { actorId: admin, details: { userId: anne.id, keyCreated: true } },
  ]);
  expect(await audited("flow.revoked", flowId)).toMatchObject([
    { actorId: admin, details: { userIds: [anne.id] } },
  ]);
  expect((await at.flows("GET", `/admin/permissions?flowId=${flowId}`)).body.total).toBe(0);
});

test("a flow key runs only its flows, and not for a disabled user", async () => {
  const anne = await person();
  const flowId = await at.newFlow(author.token);
  const own = await at.newFlow(anne.token);
  const key = keyOf(await at.grant(anne.id, flowId));
  const asKey = (path: string, body?: object) =>
    at.parlance.request(path, {
      token: null,
      headers: { "x-api-key": key },
      ...(body && { body }),
    });
  expect((await withKey(key, flowId)).status).toBe(200);
  // granted flows, not owned ones
  expect((await withKey(key, own)).status).toBe(404);
  expect((await asKey("/api/v1/flowengine/flows")).status).toBe(401);
  expect((await asKey("/api/v1/conversation", { content: "hello" })).status).toBe(401);
  expect((await withKey(`${key}x`, flowId)).status).toBe(401);
  expect(
    (
      await at.parlance.request(`/api/v1/flowengine/${flowId}/run`, {
        token: key,
        body: { input: "as a bearer" },
      })
    ).status,
  ).toBe(200);
  await api("PATCH", `/users/${anne.id}`, { body: { disabled: true } });
  expect((await withKey(key, flowId)).status).toBe(401);
  held("flows", 5);
});

test("a flow's graph and the settings of a run are for its owner, and its memory is separate for each user", async () => {
  const anne = await person();
  const flowId = await at.newFlow(author.token);
  await at.grant(anne.id, flowId);
  const tweaks = { "ChatInput-0": { sender_name: "X" } };
  const refused = await at.run(anne.token, flowId, { input: "a", tweaks });
  expect([refused.status, refused.body.code]).toEqual([403, "tweaks_not_permitted"]);
  expect((await at.run(author.token, flowId, { input: "a", tweaks })).status).toBe(200);
  expect(
    (await at.flows("GET", `/${flowId}`, { token: author.token })).body["data"],
  ).toBeDefined();
  const seen = (await at.flows("GET", `/${flowId}`, { token: anne.token })).body;
  expect([seen["owned"], seen["data"]]).toEqual([false, undefined]);
  at.langflow.runs.length = 0;
  const answers = [];
  for (const { token } of [anne, author, anne])
    answers.push((await at.run(token, flowId, { input: "a", sessionId: "same" })).body);
  expect(answers[0]).toMatchObject({ sessionId: "same" });
  const [first, second, third] = at.langflow.runs.map((run) => run.session_id);
  expect([first === third, first === second, first === flowId]).toEqual([
    true,
    false,
    false,
  ]);
  held("flows");
});

test("invalid input of a run never reaches the provider, which would treat it as empty", async () => {
  const flowId = await at.newFlow(author.token);
  at.langflow.runs.length = 0;
  for (const body of [
    {},
    { input: 7 },
    { input: "a", inputType: "b" },
    { input: "a", files: ["x"] },
    { input: "a".repeat(400_001) },
  ])
    expect((await at.run(author.token, flowId, body)).status).toBe(400);
  expect(at.langflow.runs).toEqual([]);
  held("flows", 5);
});

test("deleting a user deletes the key and the account; a recipient gets the flows", async () => {
  const [heir, anne, bert] = [await person(), await person(), await person()];
  const [ofAnne, ofBert] = [await at.newFlow(anne.token), await at.newFlow(bert.token)];
  await at.grant(heir.id, ofBert);
  const key = keyOf(await at.grant(anne.id, ofBert));
  expect((await api("DELETE", `/users/${anne.id}?transferTo=${heir.id}`)).status).toBe(204);
  expect((await api("DELETE", `/users/${bert.id}`)).status).toBe(204);
  await vi.waitFor(async () => {
    expect((await at.run(heir.token, ofAnne)).status).toBe(200);
    expect(accountOf(at.langflow, bert.id)).toBeUndefined();
  }, 60_000);
  expect((await withKey(key, ofBert)).status).toBe(401);
  expect((await at.run(heir.token, ofBert)).status).toBe(404);
  expect((await at.flows("GET", "/flows", { token: heir.token })).body.items).toMatchObject(
    [{ id: ofAnne, owned: true }],
  );
});

test("a user's export holds their flows and grants, and no key", async () => {
  const anne = await person();
  const own = await at.newFlow(anne.token);
  const flowId = await at.newFlow(author.token);
  const key = keyOf(await at.grant(anne.id, flowId));
  const text = await (
    await at.parlance.request("/api/v1/auth/me/export", { token: anne.token })
  ).text();
  const lines = text
    .trimEnd()
    .split("\n")
    .map(
      (line) =>
        JSON.parse(line) as { service: string; kind: string; data: { flowId?: string } },
    )
    .filter(({ service }) => service === "integrations");
  expect(lines.map(({ kind, data }) => [kind, data.flowId])).toEqual([
    ["flow", own],
    ["flow-permission", flowId],
  ]);
  expect(text).not.toContain(key);
  expect(text).not.toContain("sk-");
});

test("a flow is granted to those who are members of a group now, in groups within it too", async () => {
  const flowId = await at.newFlow(author.token);
  const [anne, bob, later] = [await person(), await person(), await person()];
  const group = async (name: string) =>
    (await api("POST", "/groups", { body: { name: `${name} ${randomUUID()}` } })).body.id;
  const [outer, inner] = [await group("outer"), await group("inner")];
  await api("PUT", `/groups/${outer}/groups/${inner}`);
  await api("PUT", `/groups/${outer}/members/${anne.id}`);
  await api("PUT", `/groups/${inner}/members/${bob.id}`);
  const grantGroup = (groupId: string) =>
    at.flows("POST", "/admin/permissions/grant-group", { body: { groupId, flowId } });
  expect((await grantGroup(outer)).body).toEqual({ members: 2, refused: 0 });
  await api("PUT", `/groups/${outer}/members/${later.id}`);
  const statuses = [anne, bob, later].map(
    async ({ token }) => (await at.run(token, flowId)).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 200, 404]);
  expect((await grantGroup(await group("empty"))).status).toBe(400);
});

test("an administrator finds the flows to grant by a part of their name, and sees names in the list", async () => {
  const flowId = await at.newFlow(author.token);
  const anne = await person();
  await at.grant(anne.id, flowId);
  const { items } = (await at.flows("GET", `/admin/permissions?flowId=${flowId}`)).body;
  const [{ flowName }] = items as unknown as [{ flowName: string }];
  const found = await at.flows(
    "GET",
    `/admin/flows?query=${encodeURIComponent(flowName.slice(2))}`,
  );
  expect(found.body).toMatchObject({
    total: 1,
    items: [{ id: flowId, ownerId: author.id }],
  });
});
