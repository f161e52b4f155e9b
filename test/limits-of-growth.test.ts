import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { refuseFull } from "../src/services/core/conversations/refuse-full.ts";
import type {
  refuseBeyondQuota,
  refuseManyVersions,
} from "../src/services/core/limit-versions.ts";
import { startScriptedServer } from "./support/scripted-server.ts";
import { type TestServer, startTestServer } from "./support/server.ts";
import { uploadFile } from "./support/upload-file.ts";

/** What grows with use: conversations and their messages, versions and documents. */
const check = vi.hoisted(() => ({ isOff: false }));
vi.mock("../src/services/core/conversations/refuse-full.ts", async (original) => {
  const actual = await original<{ refuseFull: typeof refuseFull }>();
  const refuse: typeof refuseFull = async (...given) => {
    if (!check.isOff) await actual.refuseFull(...given);
  };
  return { ...actual, refuseFull: refuse };
});
vi.mock("../src/services/core/limit-versions.ts", async (original) => {
  const actual = await original<{
    refuseManyVersions: typeof refuseManyVersions;
    refuseBeyondQuota: typeof refuseBeyondQuota;
  }>();
  const refuse: typeof refuseManyVersions = (...given) => {
    if (!check.isOff) actual.refuseManyVersions(...given);
  };
  const refuseBytes: typeof refuseBeyondQuota = async (...given) => {
    if (!check.isOff) await actual.refuseBeyondQuota(...given);
  };
  return { ...actual, refuseManyVersions: refuse, refuseBeyondQuota: refuseBytes };
});
afterEach(() => {
  check.isOff = false;
});

const MAX = 4;

let parlance: TestServer;
beforeAll(async () => {
  parlance = await startTestServer({
    CONVERSATIONS_PER_USER: String(MAX),
    MESSAGES_PER_CONVERSATION: String(MAX),
    VERSIONS_PER_RESOURCE: String(MAX),
    DOCUMENTS_PER_USER: String(MAX),
    MESSAGES_QUOTA_BYTES: "50000",
    VERSIONS_QUOTA_BYTES: "50000",
    CANVASES_PER_USER: String(MAX),
    AGENTS_PER_USER: String(MAX),
  });
});
afterAll(() => parlance[Symbol.asyncDispose]());

interface Answer {
  status: number;
  code?: string;
  params?: object;
}

type Ask = <Body = { id: string }>(
  path: string,
  body?: object,
  method?: string,
) => Promise<Answer & { body: Body }>;

let serial = 0;

/** Asks as a new user. */
async function aUser(): Promise<{ ask: Ask; token: string }> {
  const email = `user${(serial += 1)}@test.example`;
  const password = "a long enough password";
  await parlance.request("/api/v1/users", { body: { email, name: "User", password } });
  const token = await parlance.signIn(email, password);
  const ask: Ask = async <Body>(path: string, body?: object, method?: string) => {
    const answer = await parlance.request(path, {
      token,
      ...(body && { body }),
      ...(method && { method }),
    });
    const text = await answer.text();
    const json = (text === "" ? {} : JSON.parse(text)) as Body & Omit<Answer, "status">; // as the caller expects
    return { status: answer.status, code: json.code, params: json.params, body: json };
  };
  return { ask, token };
}

const tooMany = (code: string) => ({ status: 409, code, params: { max: MAX } });

test("conversations have a limit, which those in the trash do not count for", async () => {
  const { ask } = await aUser();
  const say = () =>
    ask<{ conversationId: string }>("/api/v1/conversation", {
      content: "hello",
      stream: false,
    });
  const first = await say();
  for (let count = 1; count < MAX; count += 1) expect((await say()).status).toBe(200);
  expect(await say()).toMatchObject(tooMany("too_many_conversations"));

  const path = `/api/v1/conversation/${first.body.conversationId}`;
  expect((await ask(path, undefined, "DELETE")).status).toBe(204);
  expect((await say()).status).toBe(200);
  const restored = await ask(`${path}/restore`, undefined, "POST");
  expect(restored).toMatchObject(tooMany("too_many_conversations"));

  check.isOff = true;
  expect((await say()).status).toBe(200);
});

test("the trash has a limit: a user cannot keep things by deleting them", async () => {
  const { ask } = await aUser();
  const kinds: [string, object, string][] = [
    ["/api/v1/conversation", { content: "hello", stream: false }, "conversationId"],
    ["/api/v1/canvas", { title: "Plain", content: "plain" }, "id"],
    ["/api/v1/agent", { name: "Plain", instructions: "Answer." }, "id"],
  ];
  for (const [path, body, id] of kinds) {
    const make = () => ask<Record<string, string>>(path, body);
    for (let count = 0; count < MAX; count += 1) {
      const { body: made } = await make();
      expect((await ask(`${path}/${made[id]}`, undefined, "DELETE")).status).toBe(204);
    }
    expect(await make()).toMatchObject(tooMany("trash_full"));
  }
});

test("conversations restored at once stay within the limit", async () => {
  const { ask } = await aUser();
  const make = async () => {
    const said = { content: "hello", stream: false };
    const { body } = await ask<{ conversationId: string }>("/api/v1/conversation", said);
    return `/api/v1/conversation/${body.conversationId}`;
  };
  const kept = 2;
  for (let count = 0; count < kept; count += 1) await make();
  const paths: string[] = [];
  for (let count = 0; count < MAX; count += 1) {
    const path = await make();
    expect((await ask(path, undefined, "DELETE")).status).toBe(204);
    paths.push(path);
  }
  const answers = await Promise.all(
    paths.map((path) => ask(`${path}/restore`, undefined, "POST")),
  );
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(kept);
});

test("messages of a conversation have a limit, also for regenerated replies", async () => {
  const { ask } = await aUser();
  const say = (conversationId?: string) =>
    ask<{ conversationId: string; messageId: string }>("/api/v1/conversation", {
      content: "hello",
      stream: false,
      conversationId,
    });
  const { conversationId, messageId } = (await say()).body;
  const again = () =>
    ask(`/api/v1/conversation/${conversationId}/regenerate`, { messageId, stream: false });
  expect((await say(conversationId)).status).toBe(200);
  expect(await say(conversationId)).toMatchObject(tooMany("too_many_messages"));
  expect(await again()).toMatchObject(tooMany("too_many_messages"));

  check.isOff = true;
  expect((await again()).status).toBe(200);
  expect((await say(conversationId)).status).toBe(200);
});

test("messages have a quota in bytes, in the trash too until they are deleted", async () => {
  const { ask } = await aUser();
  const say = (content: string, conversationId?: string) =>
    ask<{ conversationId: string; messageId: string }>("/api/v1/conversation", {
      content,
      stream: false,
      conversationId,
    });
  const full = {
    status: 413,
    code: "messages_quota_exceeded",
    params: { maxBytes: 50_000 },
  };
  const { conversationId } = (await say("é".repeat(26_000))).body;
  expect(await say("more", conversationId)).toMatchObject(full);
  expect(await say("another")).toMatchObject(full);
  const path = `/api/v1/conversation/${conversationId}`;
  expect((await ask(path, undefined, "DELETE")).status).toBe(204);
  expect(await say("in the trash it is stored")).toMatchObject(full);
  expect(
    (await ask(`/api/v1/conversation/trash/${conversationId}`, undefined, "DELETE")).status,
  ).toBe(204);
  expect((await say("now")).status).toBe(200);

  check.isOff = true;
  expect((await say("x".repeat(60_000))).status).toBe(200);
  expect((await say("more")).status).toBe(200);
});

test("replies count for the quota of messages", async () => {
  await using server = await startScriptedServer({ MESSAGES_QUOTA_BYTES: "50000" });
  server.provider.answerTurns({ text: ["x".repeat(60_000)] });
  const say = () =>
    server.parlance.request("/api/v1/conversation", {
      token: server.bob,
      body: { content: "hello", stream: false },
    });
  expect((await say()).status).toBe(200);
  const refused = await say();
  expect(refused.status).toBe(413);
  expect(await refused.json()).toMatchObject({ code: "messages_quota_exceeded" });
});

test("versions of a canvas have a limit", async () => {
  const { ask } = await aUser();
  const canvas = { title: "Plan", type: "markdown", content: "text" };
  const { id } = (await ask("/api/v1/canvas", canvas)).body;
  const write = (baseVersion: number) =>
    ask(`/api/v1/canvas/${id}/versions`, { baseVersion, content: `text ${baseVersion}` });
  for (let version = 1; version < MAX; version += 1)
    expect((await write(version)).status).toBe(201);
  expect(await write(MAX)).toMatchObject(tooMany("too_many_versions"));

  check.isOff = true;
  expect((await write(MAX)).status).toBe(201);
});

test("versions of canvases and agents have a quota in bytes, with those in the trash", async () => {
  const { ask } = await aUser();
  const write = (content: string) =>
    ask("/api/v1/canvas", { title: "Plan", type: "markdown", content });
  const full = {
    status: 413,
    code: "versions_quota_exceeded",
    params: { maxBytes: 50_000 },
  };
  const { id } = (await write("é".repeat(10_000))).body;
  const more = () =>
    ask(`/api/v1/canvas/${id}/versions`, { baseVersion: 1, content: "x".repeat(31_000) });
  expect(await more()).toMatchObject(full);
  const agent = (instructions: string) =>
    ask("/api/v1/agent", { name: "Agent", type: "simple", instructions });
  const made = (await agent("x".repeat(20_000))).body;
  expect(await agent("x".repeat(20_000))).toMatchObject(full);
  const change = { instructions: "y".repeat(20_000) };
  expect(await ask(`/api/v1/agent/${made.id}`, change, "PATCH")).toMatchObject(full);
  expect((await ask(`/api/v1/canvas/${id}`, undefined, "DELETE")).status).toBe(204);
  // in the trash it is stored
  expect(await write("x".repeat(20_000))).toMatchObject(full);

  check.isOff = true;
  expect((await write("x".repeat(20_000))).status).toBe(201);
});

test("versions of an agent have a limit, also restored ones, and a move makes none", async () => {
  const { ask } = await aUser();
  const { id } = (await ask("/api/v1/agent", { name: "Agent", type: "simple" })).body;
  const folder = (await ask("/api/v1/agent/folders", { name: "Folder" })).body;
  const change = (body: object) => ask(`/api/v1/agent/${id}`, body, "PATCH");
  for (let version = 1; version < MAX; version += 1)
    expect((await change({ name: `Agent ${version}` })).status).toBe(200);
  expect(await change({ name: "Other" })).toMatchObject(tooMany("too_many_versions"));
  const restored = await ask(`/api/v1/agent/${id}/versions/1/restore`, {});
  expect(restored).toMatchObject(tooMany("too_many_versions"));
  expect((await change({ folderId: folder.id })).status).toBe(200);

  check.isOff = true;
  expect((await change({ name: "Other" })).status).toBe(200);
});

test("documents have a limit in their number, also for uploads at once", async () => {
  const { token } = await aUser();
  const names = Array.from({ length: MAX + 2 }, (_, n) => `file${n}.txt`);
  const uploadAll = async (to: TestServer, as: string) => {
    const answers = await Promise.all(
      names.map((name) => uploadFile(to, `The text of ${name}.`, name, { token: as })),
    );
    return answers.map(({ status }) => status).sort();
  };
  const created = (count: number) => Array.from({ length: count }, () => 201);
  expect(await uploadAll(parlance, token)).toEqual([...created(MAX), 409, 409]);

  // off: with a limit that is out of reach
  await using generous = await startTestServer();
  expect(await uploadAll(generous, generous.token)).toEqual(created(names.length));
});
