import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { askBelow, newPerson } from "./support/ask.ts";
import { eventsOf, startTestServer, type TestServer } from "./support/server.ts";
import { uploadFile } from "./support/upload-file.ts";

/** What a user tries with ids that they know after a share has ended. */
let parlance: TestServer;
let eve: { id: string; token: string };
let serial = 0;
const ask = askBelow(() => parlance, "/api/v1");
beforeAll(async () => {
  parlance = await startTestServer();
});
afterAll(() => parlance[Symbol.asyncDispose]());
beforeEach(async () => {
  serial += 1;
  eve = await newPerson(parlance, `eve-${serial}`);
});

type Attempt = readonly [method: string, path: string, body?: object];
/** The statuses of attempts by Eve. */
async function tryAll(attempts: readonly Attempt[]): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  for (const [method, path, body] of attempts) {
    const { status, body: answer } = await ask(method, path, { token: eve.token, body });
    expect([path, answer.code]).not.toEqual([path, "not_found"]); // there is such a route
    statuses[`${method} ${path.replaceAll(/[0-9a-f-]{36}/g, "ID")}`] = status;
  }
  return statuses;
}

/** Shares a resource with Eve as an editor. @returns ends the share. */
async function lend(
  resourceType: string,
  resourceId: string,
): Promise<() => Promise<void>> {
  const shares = [{ subjectType: "user", subjectId: eve.id, accessRole: "editor" }];
  const body = { resourceType, resourceId, shares };
  const made = await ask("POST", "/sharing/share", { body });
  expect(made.status).toBe(201);
  const [share] = made.body["shares"] as { id: string }[];
  return async () => {
    const ended = await ask("DELETE", `/sharing/shares/${share?.id}`);
    expect(ended.status).toBe(204);
  };
}
const upload = (token: string, text: string, folderId: string) =>
  uploadFile(parlance, text, `${text}.txt`, { token, fields: { folderId } });

test("a folder that is no longer shared gives nothing of itself or what lies in it", async () => {
  const { id: folder } = (await ask("POST", "/documents/folders", { body: { name: "F" } }))
    .body;
  const below = { name: "Below", parentId: folder };
  const { id: inner } = (await ask("POST", "/documents/folders", { body: below })).body;
  const { id } = (await upload(parlance.token, `words ${serial}`, inner)).body;
  const end = await lend("folder", folder);
  const mine = { name: "Mine" };
  const { id: own } = (
    await ask("POST", "/documents/folders", { body: mine, token: eve.token })
  ).body;
  const { id: ownFile } = (await upload(eve.token, `own ${serial}`, own)).body;
  expect((await ask("GET", `/documents/${id}`, { token: eve.token })).status).toBe(200);
  await end();
  const statuses = await tryAll([
    ["GET", `/documents/folders/${folder}`],
    ["GET", `/documents/folders/${inner}`],
    ["GET", `/documents/folders?parentId=${folder}`],
    ["PATCH", `/documents/folders/${inner}`, { name: "Taken" }],
    ["DELETE", `/documents/folders/${inner}`],
    ["POST", "/documents/folders", { name: "Left", parentId: inner }],
    ["PATCH", `/documents/folders/${own}`, { parentId: inner }],
    ["GET", `/documents?folderId=${inner}`],
    ["GET", `/documents/${id}`],
    ["GET", `/documents/${id}/content`],
    ["GET", `/documents/${id}/markdown`],
    ["GET", `/documents/${id}/chunks`],
    ["GET", `/documents/${id}/events`],
    ["PATCH", `/documents/${id}`, { fileName: "taken.txt" }],
    ["PATCH", `/documents/${ownFile}`, { folderId: inner }],
    ["POST", `/documents/${id}/reprocess`, {}],
    ["POST", `/documents/${id}/stop`],
    ["POST", "/documents/retry-failed", { folderId: inner }],
    ["DELETE", `/documents/${id}`],
    ["GET", `/sharing/shares/folder/${folder}`],
    ["PUT", `/sharing/links/folder/${folder}`, { enabled: true, accessLevel: "viewer" }],
    ["POST", `/sharing/locks/document/${id}`],
  ]);
  for (const [attempt, status] of Object.entries(statuses))
    expect([attempt, status]).toEqual([attempt, 404]);
  expect((await upload(eve.token, `left ${serial}`, inner)).status).toBe(404);
  const titles = await ask("GET", `/documents/titles?ids=${id}`, { token: eve.token });
  expect(titles.text).not.toContain("words");
  const body = { query: "words", grade: 0, docIds: [id] };
  const found = await ask("POST", "/rag/retrieve", { token: eve.token, body });
  expect(found.text).not.toContain(`words ${serial}`);
});

test("a template that is no longer shared cannot be read, filled or changed", async () => {
  const template = { name: "T", content: "secret words", variables: [], scope: "personal" };
  const { id } = (await ask("POST", "/templates", { body: template })).body;
  const end = await lend("template", id);
  expect((await ask("GET", `/templates/${id}`, { token: eve.token })).status).toBe(200);
  await end();
  const statuses = await tryAll([
    ["GET", `/templates/${id}`],
    ["POST", `/templates/${id}/fill`, { values: {} }],
    ["PATCH", `/templates/${id}`, { name: "Taken" }],
    ["DELETE", `/templates/${id}`],
  ]);
  expect(new Set(Object.values(statuses))).toEqual(new Set([404]));
  for (const path of ["/templates?limit=100", "/templates/enabled?limit=100"])
    expect((await ask("GET", path, { token: eve.token })).text).not.toContain(
      "secret words",
    );
});

test("a conversation that is no longer shared takes no message, decision or reaction", async () => {
  const body = { content: "Hello." };
  const sent = await eventsOf(await parlance.request("/api/v1/conversation", { body }));
  const { conversationId, messageId } = sent[0]?.data ?? {};
  const base = `/conversation/${String(conversationId)}`;
  const reaction = `/conversation/message-reaction/${String(messageId)}`;
  const end = await lend("conversation", String(conversationId));
  expect((await ask("GET", reaction, { token: eve.token })).status).toBe(200);
  await end();
  const liked = { reaction: "like", comment: "Taken" };
  const decided = { toolCallId: "call", decision: "approve" };
  const statuses = await tryAll([
    ["GET", base],
    ["GET", `${base}/messages`],
    ["GET", `${base}/stream`],
    ["GET", `${base}/export?format=json`],
    ["POST", `${base}/stop`],
    ["POST", `${base}/approve`, decided],
    ["POST", `${base}/regenerate`, { messageId }],
    ["POST", "/conversation", { conversationId, content: "More." }],
    ["PATCH", base, { title: "Taken" }],
    ["DELETE", base],
    ["GET", reaction],
    ["POST", reaction, liked],
  ]);
  for (const [attempt, status] of Object.entries(statuses))
    expect([attempt, status]).toEqual([attempt, 404]);
});
