import { afterAll, beforeAll, expect, test } from "vitest";
import { parseStream } from "./support/read-changes.ts";
import { BROWSER, cookieOf } from "./support/session-cookie.ts";
import { type TestServer, startTestServer } from "./support/server.ts";

const USER = { email: "user@test.example", password: "a long enough password" };

let parlance: TestServer;
let cookie: string;
let userId: string;
beforeAll(async () => {
  parlance = await startTestServer({ USER_STREAM_LIMIT: "2" });
  const made = await parlance.request("/api/v1/users", { body: { ...USER, name: "User" } });
  userId = ((await made.json()) as { id: string }).id;
  cookie = await cookieOf(parlance, USER);
});
afterAll(() => parlance[Symbol.asyncDispose]());

const ask = (path: string, method: string, body?: unknown) =>
  parlance.request(path, { method, body, token: null, headers: { ...BROWSER, cookie } });
const follow = async (headers: Record<string, string> = {}, query = "") => {
  const options = { token: null, headers: { cookie, ...headers } };
  return parseStream(await parlance.request(`/api/v1/events${query}`, options));
};
const send = async () => {
  const answer = await ask("/api/v1/conversation", "POST", {
    content: "Hello",
    stream: false,
  });
  return ((await answer.json()) as { conversationId: string }).conversationId;
};

test("a user is notified of a change in another tab, and of the end of a reply", async () => {
  await using events = await follow();
  expect(await events.next()).toMatchObject({ event: "ready" });
  const id = await send();
  await events.until("conversation", id);
  await ask(`/api/v1/conversation/${id}`, "PATCH", { title: "Renamed" });
  const change = await events.until("conversation", id);
  expect(change.id).toMatch(/./);
});

test("a user is notified of each state of a document, and nobody else is", async () => {
  await using own = await follow();
  await using others = parseStream(await parlance.request("/api/v1/events"));
  expect([(await own.next()).event, (await others.next()).event]).toEqual([
    "ready",
    "ready",
  ]);
  const form = new FormData();
  form.set("file", new Blob(["Holidays: 31 days."]), "plan.txt");
  const uploaded = await fetch(`${parlance.url}/api/v1/documents`, {
    method: "POST",
    headers: { ...BROWSER, cookie },
    body: form,
  });
  const { id } = (await uploaded.json()) as { id: string };
  await own.until("document", id);
  // the administrator's next change is about the administrator's own change
  await parlance.request("/api/v1/templates", { body: { name: "T", content: "Text" } });
  expect((await others.next()).event).toBe("template");
});

test("the recipient of a share is notified", async () => {
  await using events = await follow();
  await events.next();
  const made = await parlance.request("/api/v1/conversation", {
    body: { content: "Hello", stream: false },
  });
  const { conversationId } = (await made.json()) as { conversationId: string };
  const body = {
    resourceType: "conversation",
    resourceId: conversationId,
    shares: [{ subjectType: "user", subjectId: userId, accessRole: "viewer" }],
  };
  const shared = await parlance.request("/api/v1/sharing/share", { body });
  expect(shared.status).toBe(201);
  await events.until("share", null);
});

test("a client that reconnects reads everything again", async () => {
  await using events = await follow({ "last-event-id": "anything" });
  expect((await events.next()).event).toBe("resync");
});

test("a page that began to read before a change and connects after it reads everything again", async () => {
  const other = { ...USER, email: "late@test.example" };
  await parlance.request("/api/v1/users", { body: { ...other, name: "Late" } });
  const own = { ...BROWSER, cookie: await cookieOf(parlance, other) };
  const connect = async (query: string) => {
    await using events = await follow(own, query);
    return (await events.next()).event;
  };
  const firstOf = async (name: string) => {
    const begunAt = performance.now();
    const body = { name, content: "Text" };
    await parlance.request("/api/v1/templates", { body, token: null, headers: own });
    const unseenForMs = Math.ceil(performance.now() - begunAt);
    return connect(`?unseenForMs=${unseenForMs}`);
  };
  expect(await firstOf("T")).toBe("resync");
  expect(await connect("")).toBe("ready");
  expect(await connect("?unseenForMs=60000")).toBe("resync");
  // nothing changes meanwhile
  await expect.poll(() => connect("?unseenForMs=1")).toBe("ready");
  const path = "/api/v1/events?unseenForMs=86400001";
  expect((await parlance.request(path)).status).toBe(400);
});

test("its connections do not count as streams of replies, and have a limit of their own", async () => {
  // another user, who has no connections that are still closing
  const other = { ...USER, email: "other@test.example" };
  await parlance.request("/api/v1/users", { body: { ...other, name: "Other" } });
  const own = { ...BROWSER, cookie: await cookieOf(parlance, other) };
  const open = await Promise.all(Array.from({ length: 50 }, () => follow(own)));
  for (const events of open) expect((await events.next()).event).toBe("ready");
  const body = { content: "Hello" };
  const reply = await parlance.request("/api/v1/conversation", {
    body,
    token: null,
    headers: own,
  });
  expect(await reply.text()).toContain("event: done");
  const refused = await parlance.request("/api/v1/events", { token: null, headers: own });
  expect(refused.status).toBe(429);
  await Promise.all(open.map((events) => events[Symbol.asyncDispose]()));
});

test("the stream ends with the session that opened it", async () => {
  const own = await cookieOf(parlance, USER);
  await using events = await follow({ cookie: own });
  await events.next();
  const headers = { ...BROWSER, cookie: own };
  await parlance.request("/api/v1/auth/logout", { method: "POST", token: null, headers });
  await events.ended();
});
