import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { askBelow, type Body } from "./support/ask.ts";
import { type ScriptedServer, startScriptedServer } from "./support/scripted-server.ts";
import { uploadFile } from "./support/upload-file.ts";

const SECRET = "a-secret-between-services";
let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer({ SERVICE_SECRET: SECRET });
});
afterAll(() => server[Symbol.asyncDispose]());

const ask = askBelow(() => server.parlance, "/api/v1");
const askOpenAi = askBelow(() => server.parlance, "/v1");
const attach = (content: string | Uint8Array<ArrayBuffer>, name: string) =>
  uploadFile(server.parlance, content, name, { fields: { as: "attachment" } });
const read = async (id: string) => (await ask("GET", `/documents/${id}`)).body;
const names = async (query = "") =>
  (await ask("GET", `/documents${query}`)).body.items.map(({ fileName }) => fileName);
const processed = (id: string) =>
  vi.waitFor(async () => expect(await read(id)).toMatchObject({ status: "PROCESSED" }), {
    timeout: 90_000,
    interval: 200,
  });
const deleteAttachments = (ids: string[]) =>
  fetch(`${server.parlance.internalUrl}/api/v1/documents/attachments/delete`, {
    method: "POST",
    headers: { "x-platform-service-secret": SECRET, "content-type": "application/json" },
    body: JSON.stringify({ ids }),
  });
const picture = (last: number) =>
  new Uint8Array([
    0x89,
    0x50,
    0x4e,
    0x47,
    0x0d,
    0x0a,
    0x1a,
    0x0a,
    0,
    0,
    0,
    13,
    0x49,
    0x48,
    0x44,
    0x52,
    0,
    0,
    0,
    last,
  ]);

test("an attachment is no document: it is listed, counted and searched nowhere else", async () => {
  const { body } = await attach("The lighthouse keeper is called Ines.", "keeper.md");
  expect(body).toMatchObject({ isAttachment: true });
  await processed(body.id);
  expect(await names()).not.toContain("keeper.md");
  expect(await names("?scope=own&query=keeper")).toEqual([]);
  expect(await names("?scope=attachments&query=keeper")).toEqual(["keeper.md"]);
  expect(JSON.stringify((await askOpenAi("GET", "/files")).body)).not.toContain(
    "keeper.md",
  );
  const { counts } = (await ask("GET", "/documents/summary")).body;
  expect(counts).toMatchObject({ PROCESSED: 0 });
  const query = { query: "lighthouse keeper", grade: 0, engineName: "hybrid" };
  const search = async (more: object) =>
    (await ask("POST", "/rag/retrieve", { body: { ...query, ...more } })).body.results;
  expect(await search({})).toEqual([]);
  expect(await search({ alsoDocIds: [body.id] })).toHaveLength(1);
  expect(await search({ docIds: [body.id] })).toHaveLength(1);
});

test("somebody else's attachment is not searched, whatever is named", async () => {
  const { body } = await attach("The baker hides a golden spoon.", "spoon.md");
  await processed(body.id);
  const asked = { query: "golden spoon", grade: 0, alsoDocIds: [body.id] };
  const answer = await ask("POST", "/rag/retrieve", { token: server.bob, body: asked });
  expect(answer.body.results).toEqual([]);
});

test("a conversation that may read all documents reads what was given to it as well", async () => {
  const { body } = await attach(
    `The ferry costs nine coins.${" ".repeat(400_000)}`,
    "a.txt",
  );
  await processed(body.id);
  server.provider.answerTurns(
    { toolCalls: [{ name: "list_documents", arguments: {} }] },
    {
      toolCalls: [
        { name: "search_documents", arguments: { query: "What does the ferry cost?" } },
      ],
    },
    { text: ["Nine."] },
  );
  const message = {
    content: "What does it cost?",
    tools: ["toolset:documents"],
    stream: false,
  };
  await ask("POST", "/conversation", { body: { ...message, files: [body.id] } });
  const turns = JSON.stringify(server.provider.turns().at(-1)?.messages);
  expect(turns).toContain("a.txt");
  expect(turns).toContain("nine coins");
});

test("a picture for a model is ready at once: nothing is read from it, so nothing fails", async () => {
  const { body } = await attach(picture(1), "photo.png");
  expect(body).toMatchObject({ status: "PROCESSED", indexing: null, error: null });
  // as a document it is read, which needs an engine
  const kept = await ask("PATCH", `/documents/${body.id}`, {
    body: { isAttachment: false },
  });
  expect(kept.body).toMatchObject({ isAttachment: false, status: "UPLOADED" });
  expect(await names("?query=photo")).toEqual(["photo.png"]);
});

test("a vector store reads a picture of a conversation that it takes by its id", async () => {
  const { body } = await attach(picture(7), "chart.png");
  const store = (await askOpenAi("POST", "/vector_stores", { body: { name: "S" } })).body;
  const attached = await askOpenAi("POST", `/vector_stores/${store.id}/files`, {
    body: { file_id: body.id },
  });
  expect(attached.status).toBe(200);
  expect(await read(body.id)).toMatchObject({ isAttachment: false, status: "UPLOADED" });
});

test("a failed attachment does not stand among failed documents, nor is it tried again with them", async () => {
  const { body } = await attach("%PDF-1.7\n%âãÏÓ\n1 0 obj\n", "broken.pdf");
  await vi.waitFor(async () => expect((await read(body.id)).status).toBe("FAILED"), {
    timeout: 60_000,
    interval: 200,
  });
  expect(await names("?status=FAILED&query=broken")).toEqual([]);
  await ask("POST", "/documents/retry-failed", { body: {} });
  expect((await read(body.id)).status).toBe("FAILED");
});

test("a move into a folder makes an attachment a document, which its conversation cannot delete", async () => {
  const folder = (await ask("POST", "/documents/folders", { body: { name: "Kept" } })).body;
  const moved = (await attach("Kept words.", "kept.md")).body;
  const other = (await attach("Other words.", "other.md")).body;
  await ask("PATCH", `/documents/${moved.id}`, { body: { folderId: folder.id } });
  expect(await read(moved.id)).toMatchObject({ isAttachment: false, folderId: folder.id });
  expect((await deleteAttachments([moved.id, other.id])).status).toBe(204);
  expect(await read(moved.id)).toMatchObject({ id: moved.id });
  expect(await read(other.id)).toMatchObject({ code: "document_not_found" });
});

test("a file that is among the documents already is attached as that document, and stays", async () => {
  const document = await uploadFile(server.parlance, "Known words.", "known.md");
  const attached = await attach("Known words.", "again.md");
  expect(attached.body).toMatchObject({ id: document.body.id, isAttachment: false });
  await deleteAttachments([document.body.id]);
  expect(await read(document.body.id)).toMatchObject({ id: document.body.id });
  // but not the other way round
  const first = (await attach("Unknown words.", "first.md")).body;
  const second = await uploadFile(server.parlance, "Unknown words.", "second.md");
  expect(second.body).toMatchObject({ deduplicated: false, isAttachment: false });
  expect(second.body.id).not.toBe(first.id);
  await deleteAttachments([first.id]);
  const bytes = await ask("GET", `/documents/${second.body.id}/content`);
  expect(bytes.text).toBe("Unknown words.");
});

test.each<[Record<string, string>, string]>([
  [{ as: "conversation" }, "upload_as_invalid"],
  [
    { as: "attachment", folderId: "0b8f1ab7-1111-7000-8000-000000000001" },
    "upload_as_invalid",
  ],
])("an upload with %j is refused", async (fields, code) => {
  const { status, body } = await uploadFile(server.parlance, "x", "x.txt", { fields });
  expect([status, body.code]).toEqual([400, code]);
});

test("attachments are deleted by services alone, and only old ones are offered", async () => {
  const { body } = await attach("Young words.", "young.md");
  const path = "/documents/attachments";
  expect((await ask("GET", path)).status).toBe(401);
  expect((await ask("POST", `${path}/delete`, { body: { ids: [body.id] } })).status).toBe(
    401,
  );
  const url = `${server.parlance.internalUrl}/api/v1${path}`;
  const listed = await fetch(url, { headers: { "x-platform-service-secret": SECRET } });
  expect(((await listed.json()) as Body)["ids"]).toEqual([]);
});
