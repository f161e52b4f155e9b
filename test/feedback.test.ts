import { afterAll, beforeAll, expect, test } from "vitest";
import { askBelow, type Body, newPerson } from "./support/ask.ts";
import { type ScriptedServer, startScriptedServer } from "./support/scripted-server.ts";

let server: ScriptedServer;
let people: { bob: string; eve: string };
beforeAll(async () => {
  server = await startScriptedServer();
  server.provider.answer(() => ({ text: ["Noted."] }));
  const eve = await newPerson(server.parlance, "eve");
  people = { bob: server.bob, eve: eve.token };
});
afterAll(() => server[Symbol.asyncDispose]());

const ask = askBelow(() => server.parlance, "/api/v1");
const list = async (query: Record<string, string> = {}) =>
  (await ask("GET", `/feedback?${new URLSearchParams(query)}`)).body;
const comments = ({ items }: Body) => items.map(({ comment }) => comment);

/** Asks something and says what is thought of the answer. */
async function rate(token: string, reaction: object, agentId?: string): Promise<Body> {
  const body = { content: "hello", stream: false, ...(agentId && { agentId }) };
  const reply = (await ask("POST", "/conversation", { token, body })).body;
  const path = `/conversation/message-reaction/${reply.messageId}`;
  expect((await ask("POST", path, { token, body: reaction })).status).toBe(200);
  return reply;
}

test("administrators list what people think of answers, page by page, by rating, reason, model, agent and time", async () => {
  const agent = { name: "Porter", type: "simple" };
  const made = await ask("POST", "/agent", { token: people.bob, body: agent });
  const agentId = made.body.id;
  await rate(people.bob, { reaction: "like", comment: "first" });
  const second = { reaction: "dislike", reasons: ["wrong", "too_long"], comment: "second" };
  const reply = await rate(people.bob, second, agentId);
  await rate(people.eve, { reaction: "dislike", reasons: ["unsafe"], comment: "third" });

  const all = await list();
  expect(all.total).toBe(3);
  expect(comments(all)).toEqual(["third", "second", "first"]);
  expect(all.items[1]).toMatchObject({
    ...second,
    userName: "bob",
    model: "openai/gpt-test",
    agentId,
    agentName: "Porter",
    messageId: reply.messageId,
  });
  expect(comments(await list({ page: "2", limit: "2" }))).toEqual(["first"]);
  expect(comments(await list({ reaction: "like" }))).toEqual(["first"]);
  expect(comments(await list({ reason: "too_long" }))).toEqual(["second"]);
  expect(comments(await list({ agentId }))).toEqual(["second"]);
  expect((await list({ model: "openai/gpt-test" })).total).toBe(3);
  expect((await list({ model: "openai/other" })).total).toBe(0);
  const at = String(all.items[1]?.["at"]);
  expect(comments(await list({ to: at }))).not.toContain("third");
  expect(comments(await list({ from: at }))).toContain("third");
});

test("a changed rating replaces the one before, and one that is taken back is gone", async () => {
  const before = (await list()).total;
  const { messageId } = await rate(people.eve, { reaction: "like" });
  const path = `/conversation/message-reaction/${messageId}`;
  const change = (body: object) => ask("POST", path, { token: people.eve, body });
  await change({ reaction: "dislike", reasons: ["incomplete"], comment: "half" });
  const { total, items } = await list();
  expect(total).toBe(before + 1);
  expect(items[0]).toMatchObject({ messageId, reasons: ["incomplete"], comment: "half" });
  await change({ reaction: null });
  expect((await list()).total).toBe(before);
});

test("an administrator is led to a conversation only where they may read it", async () => {
  const hidden = await rate(people.eve, { reaction: "dislike" });
  const shared = await rate(people.eve, { reaction: "dislike" });
  const me = (await ask("GET", "/auth/me")).body;
  const shares = [{ subjectType: "user", subjectId: me.id, accessRole: "viewer" }];
  const resource = {
    resourceType: "conversation",
    resourceId: shared.conversationId,
  };
  const made = await ask("POST", "/sharing/share", {
    token: people.eve,
    body: { ...resource, shares },
  });
  expect(made.status).toBe(201);
  const { items } = await list();
  const conversationOf = ({ messageId }: Body) =>
    items.find((one) => one.messageId === messageId)?.conversationId;
  expect(conversationOf(hidden)).toBeNull();
  expect(conversationOf(shared)).toBe(shared.conversationId);
  expect(JSON.stringify(items)).not.toContain("Noted.");
});

test("an export has the same rows, and no formula that a spreadsheet runs", async () => {
  const formula = '=HYPERLINK("https://evil.example","click")';
  const reply = await rate(people.eve, { reaction: "dislike", comment: formula });
  const csv = await ask("GET", "/feedback/export");
  expect(csv.headers.get("content-disposition")).toContain("feedback.csv");
  const lines = csv.text.trimEnd().split("\r\n");
  expect(lines[0]).toMatch(/at,reaction,reasons,comment,/);
  expect(lines.length - 1).toBe((await list()).total);
  const line = lines.find((one) => one.includes(reply.messageId));
  expect(line).toContain(`"'=HYPERLINK(""https://evil.example"",""click"")"`);
  const wrong = await ask("GET", "/feedback/export?reason=wrong");
  expect(wrong.text).toContain('"wrong too_long","second"');
  expect(wrong.text).not.toContain("HYPERLINK");
});

test("only administrators read it, and what a person wrote is part of their own data", async () => {
  for (const path of ["/feedback", "/feedback/export"])
    expect((await ask("GET", path, { token: people.bob })).status).toBe(403);
  const mine = await ask("GET", "/auth/me/export", { token: people.bob });
  expect(mine.text).toContain("message-reaction");
  expect(mine.text).toContain("second");
  expect(mine.text).not.toContain("third");
});
