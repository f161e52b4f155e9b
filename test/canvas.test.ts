import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { askBelow, newPerson } from "./support/ask.ts";
import type { TestServer } from "./support/server.ts";
import { type ScriptedServer, startScriptedServer } from "./support/scripted-server.ts";

let server: ScriptedServer;
let parlance: TestServer;
let bob: string;
const NOBODY = "01a1fb8b-2522-72b4-a6e7-60a70d8e06b0";
beforeAll(async () => {
  server = await startScriptedServer();
  ({ parlance, bob } = server);
});
afterAll(() => server[Symbol.asyncDispose]());

const ask = askBelow(() => parlance, "/api/v1/canvas");
const make = async (body: object = {}) =>
  (await ask("POST", "", { body: { title: "Plan", content: "one\ntwo\n", ...body } })).body;

test("a canvas has immutable versions, each based on the newest", async () => {
  const canvas = await make();
  expect(canvas).toMatchObject({
    title: "Plan",
    type: "markdown",
    version: 1,
    content: "one\ntwo\n",
  });
  const add = (baseVersion: number, content: string) =>
    ask("POST", `/${canvas.id}/versions`, { body: { baseVersion, content } });
  expect((await add(1, "one\nthree\n")).body.version).toBe(2);
  const stale = await add(1, "late");
  expect([stale.status, stale.body.code, stale.body["details"]]).toEqual([
    409,
    "canvas_changed",
    { version: 2 },
  ]);
  const both = await Promise.all(Array.from({ length: 5 }, (_, n) => add(2, `n${n}`)));
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  expect((await ask("GET", `/${canvas.id}`)).body.version).toBe(3);
  expect((await ask("GET", `/${canvas.id}?version=1`)).body.content).toBe("one\ntwo\n");
  expect((await ask("GET", `/${canvas.id}?version=9`)).body.code).toBe("version_not_found");
  expect((await ask("GET", `/${canvas.id}/versions?limit=2`)).body).toMatchObject({
    total: 3,
    items: [{ version: 3 }, { version: 2 }],
  });
  expect((await ask("GET", `/${canvas.id}/diff?from=1&to=2`)).body["changes"]).toEqual([
    { kind: "same", lines: 1, text: "one\n" },
    { kind: "removed", lines: 1, text: "two\n" },
    { kind: "added", lines: 1, text: "three\n" },
  ]);
});

test("another user's canvas does not exist on any route, and anonymous callers get nothing", async () => {
  const { id } = await make();
  for (const [method, path, body] of [
    ["GET", ""],
    ["PATCH", "", { title: "Mine" }],
    ["DELETE", ""],
    ["POST", "/restore"],
    ["GET", "/versions"],
    ["POST", "/versions", { baseVersion: 1, content: "x" }],
    ["GET", "/diff?from=1&to=1"],
    ["GET", "/export?fileType=md"],
  ] as const) {
    for (const canvas of [id, NOBODY])
      expect([
        method,
        path,
        (await ask(method, `/${canvas}${path}`, { token: bob, body })).body.code,
      ]).toEqual([method, path, "canvas_not_found"]);
    expect((await ask(method, `/${id}${path}`, { token: null, body })).status).toBe(401);
  }
  expect((await ask("GET", "", { token: bob })).body.total).toBe(0);
  const foreign = await ask("POST", "", {
    token: bob,
    body: { title: "x", content: "", conversationId: NOBODY },
  });
  expect(foreign.body.code).toBe("conversation_not_found");
});

test("readers of a conversation read its canvases, editors change them unless locked, and only the owner deletes", async () => {
  const people = {
    vera: await newPerson(parlance, "vera"),
    ed: await newPerson(parlance, "ed"),
    eve: await newPerson(parlance, "eve"),
  };
  const roles = [
    ["vera", "viewer"],
    ["ed", "editor"],
    ["eve", "editor"],
  ] as const;
  const conversationId = await aConversation(
    roles.map(([name, role]) => ({ id: people[name].id, role })),
  );
  const { vera, ed, eve } = people;
  const { id } = await make({ conversationId, title: "Ours" });
  const as = (token: string, method: string, path: string, body?: object) =>
    ask(method, path, { token, body });
  const write = (token: string, baseVersion: number) =>
    as(token, "POST", `/${id}/versions`, { baseVersion, content: `after ${baseVersion}` });

  for (const { token } of [vera, ed]) {
    expect((await as(token, "GET", `/${id}`)).body.title).toBe("Ours");
    expect((await as(token, "GET", `?conversationId=${conversationId}`)).body.total).toBe(
      1,
    );
    expect((await as(token, "GET", `/${id}/export?fileType=txt`)).status).toBe(200);
    expect((await as(token, "DELETE", `/${id}`)).body.code).toBe("canvas_read_only");
    expect((await as(token, "GET", "")).body.total).toBe(0);
  }
  expect((await as(bob, "GET", `?conversationId=${conversationId}`)).body.code).toBe(
    "conversation_not_found",
  );
  expect((await write(vera.token, 1)).body.code).toBe("canvas_read_only");
  expect((await write(ed.token, 1)).body.version).toBe(2);
  expect((await ask("GET", `/${id}/versions`)).body.items[0]).toMatchObject({
    version: 2,
    createdBy: ed.id,
  });

  const lock = (token: string, method = "POST") =>
    parlance.request(`/api/v1/sharing/locks/conversation/${conversationId}`, {
      method,
      token,
    });
  const { token: fence } = (await (await lock(eve.token)).json()) as { token: number };
  expect([
    (await write(ed.token, 2)).status,
    (await write(parlance.token, 2)).status,
  ]).toEqual([423, 423]);
  expect((await as(ed.token, "PATCH", `/${id}`, { title: "Mine" })).body.code).toBe(
    "locked",
  );
  expect(
    (await as(ed.token, "POST", "", { title: "x", content: "", conversationId })).status,
  ).toBe(423);
  expect((await ask("DELETE", `/${id}`)).status).toBe(423);
  for (const { token, role } of [
    { token: vera.token, role: "viewer" },
    { token: ed.token, role: "editor" },
    { token: parlance.token, role: "owner" },
  ])
    expect((await as(token, "GET", `/${id}/state`)).body).toMatchObject({
      version: 2,
      role,
      lock: { userId: eve.id, userName: "eve" },
    });
  expect((await write(eve.token, 2)).body.version).toBe(3);
  await lock(eve.token, "DELETE");
  expect((await as(vera.token, "GET", `/${id}/state`)).body["lock"]).toBeNull();
  await lock(ed.token);
  await lock(ed.token, "DELETE");
  const late = (token: string | number) =>
    parlance.request(`/api/v1/canvas/${id}`, {
      method: "PATCH",
      token: eve.token,
      body: { title: "Late" },
      headers: { "x-lock-token": String(token) },
    });
  expect(await (await late(fence)).json()).toMatchObject({ code: "lock_lost" });
  expect((await late("x")).status).toBe(400);
  expect((await late(fence + 1)).status).toBe(200);

  // a canvas that an editor adds belongs to the conversation's owner; without the share the editor
  // cannot reach it
  const added = (
    await as(ed.token, "POST", "", { title: "Added", content: "", conversationId })
  ).body;
  expect((await ask("GET", `/${added.id}`)).status).toBe(200);
  await revokeAll(conversationId);
  for (const canvas of [id, added.id])
    expect((await as(ed.token, "GET", `/${canvas}`)).body.code).toBe("canvas_not_found");
  expect((await as(ed.token, "GET", "/trash")).body.total).toBe(0);
});

/** A shared conversation of the administrator. */
async function aConversation(shares: { id: string; role: string }[]): Promise<string> {
  const made = await parlance.request("/api/v1/conversation", {
    body: { content: "hello", stream: false },
  });
  const { conversationId } = (await made.json()) as { conversationId: string };
  const body = {
    resourceType: "conversation",
    resourceId: conversationId,
    shares: shares.map(({ id, role }) => ({
      subjectType: "user",
      subjectId: id,
      accessRole: role,
    })),
  };
  await vi.waitFor(
    async () =>
      expect((await parlance.request("/api/v1/sharing/share", { body })).status).toBe(201),
    90_000,
  );
  return conversationId;
}

async function revokeAll(conversationId: string): Promise<void> {
  const listed = await parlance.request(
    `/api/v1/sharing/shares/conversation/${conversationId}`,
  );
  for (const { id } of ((await listed.json()) as { items: { id: string }[] }).items)
    await parlance.request(`/api/v1/sharing/shares/${id}`, { method: "DELETE" });
}

test.each([
  "?limit=101",
  "?page=0",
  "/trash?limit=0",
  `/${NOBODY}/export?fileType=exe`,
  `/${NOBODY}/export`,
  `/${NOBODY}/diff?from=0&to=1`,
  "/nothing",
])("%s is refused", async (path) => {
  expect((await ask("GET", path)).body.code).toBe("validation_failed");
});

test("a deleted canvas is in the trash and can be restored", async () => {
  const { id } = await make({ title: "Gone" });
  expect((await ask("DELETE", `/${id}`)).status).toBe(204);
  expect((await ask("GET", `/${id}`)).status).toBe(404);
  expect((await ask("GET", "/trash")).body.items.map(({ title }) => title)).toContain(
    "Gone",
  );
  expect((await ask("POST", `/${id}/restore`)).body.title).toBe("Gone");
  expect((await ask("PATCH", `/${id}`, { body: { title: "Back" } })).body.title).toBe(
    "Back",
  );
});
