import OpenAI, { toFile } from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestServer, startTestServer } from "./support/server.ts";
import { uploadFile } from "./support/upload-file.ts";

/** Tests with the unchanged official client. */
let parlance: TestServer;
let client: OpenAI;
beforeAll(async () => {
  parlance = await startTestServer();
  client = clientOf(parlance.token);
});
afterAll(() => parlance[Symbol.asyncDispose]());

const clientOf = (apiKey: string) =>
  new OpenAI({ baseURL: `${parlance.url}/v1`, apiKey, maxRetries: 0 });
const upload = async (text: string, name = "a.txt") =>
  client.files.create({
    file: await toFile(Buffer.from(text), name),
    purpose: "assistants",
  });
/** The client's own ways to wait, without its pauses. */
const polling = { pollIntervalMs: 20 };

async function aUser(name: string): Promise<OpenAI> {
  const [email, password] = [`${name}@test.example`, "a long enough password"];
  await parlance.request("/api/v1/users", { body: { email, name, password } });
  return clientOf(await parlance.signIn(email, password));
}

test("uploads, lists, reads and deletes a file", async () => {
  const file = await upload("The harbour opens at nine.", "harbour.txt");
  expect(file).toMatchObject({ object: "file", filename: "harbour.txt", bytes: 26 });
  expect(file.purpose).toBe("assistants");
  const processed = await client.files.waitForProcessing(file.id, { pollInterval: 20 });
  expect(processed.status).toBe("processed");
  expect(await (await client.files.content(file.id)).text()).toBe(
    "The harbour opens at nine.",
  );

  const deleted = await client.files.delete(file.id);
  expect(deleted).toEqual({ id: file.id, object: "file", deleted: true });
  await expect(client.files.retrieve(file.id)).rejects.toMatchObject({ status: 404 });
});

test("the same bytes are a file of their own, which may be deleted alone", async () => {
  const [first, second] = [await upload("twice"), await upload("twice")];
  expect(second.id).not.toBe(first.id);
  await client.files.delete(first.id);
  expect(await (await client.files.content(second.id)).text()).toBe("twice");
});

test("a document that a person uploads is none of a client's files, which may be deleted", async () => {
  const file = await upload("both have this", "both.txt");
  const { status, body } = await uploadFile(parlance, "both have this", "both.txt");
  expect(status).toBe(201);
  const { id } = body as { id: string };
  expect(file.id).not.toContain(id);
  await client.files.delete(file.id);
  expect((await parlance.request(`/api/v1/documents/${id}`)).status).toBe(200);
});

test("lists page by page in both orders, and by purpose", async () => {
  const reader = await aUser("reader");
  const made: string[] = [];
  for (const name of ["1.txt", "2.txt", "3.txt"]) {
    const file = await toFile(Buffer.from(name), name);
    made.push((await reader.files.create({ file, purpose: "user_data" })).id);
  }
  const all = async (order: "asc" | "desc") => {
    const ids: string[] = [];
    for await (const { id } of reader.files.list({ limit: 2, order })) ids.push(id);
    return ids;
  };
  expect(await all("asc")).toEqual(made);
  expect(await all("desc")).toEqual(made.toReversed());
  expect((await reader.files.list({ purpose: "assistants" })).data).toEqual([]);
  expect((await reader.files.list({ purpose: "user_data" })).data).toHaveLength(3);
});

test("refuses what is not honoured by its name", async () => {
  const file = await toFile(Buffer.from("x"), "x.txt");
  const batch = client.files.create({ file, purpose: "batch" });
  await expect(batch).rejects.toMatchObject({ status: 400, code: "file_field_refused" });
  const expiring = client.files.create({
    file: await toFile(Buffer.from("x"), "x.txt"),
    purpose: "assistants",
    expires_after: { anchor: "created_at", seconds: 3_600 },
  });
  await expect(expiring).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining("expires_after"),
  });
  const store = client.vectorStores.create({
    expires_after: { anchor: "last_active_at", days: 1 },
  });
  await expect(store).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining("expires_after"),
  });
  const cut = { max_chunk_size_tokens: 200, chunk_overlap_tokens: 0 };
  const chunked = client.vectorStores.create({
    chunking_strategy: { type: "static", static: cut },
  });
  await expect(chunked).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining("chunking_strategy"),
  });
});

test("keeps a store of files, which are searched and counted", async () => {
  const store = await client.vectorStores.create({
    name: "Ports",
    metadata: { project: "sea" },
  });
  const text = await toFile(Buffer.from("The lighthouse keeper is Marta."), "keeper.txt");
  const file = await client.vectorStores.files.uploadAndPoll(store.id, text, polling);
  expect(file).toMatchObject({
    object: "vector_store.file",
    status: "completed",
    last_error: null,
    vector_store_id: store.id,
  });
  const shown = await client.vectorStores.retrieve(store.id);
  expect(shown).toMatchObject({
    name: "Ports",
    status: "completed",
    metadata: { project: "sea" },
    file_counts: { completed: 1, total: 1 },
    usage_bytes: 31,
  });
  const query = "Who is the lighthouse keeper?";
  const found = await client.vectorStores.search(store.id, { query });
  expect(found.data[0]).toMatchObject({
    file_id: file.id,
    filename: "keeper.txt",
    content: [{ type: "text", text: expect.stringContaining("Marta") }],
  });

  await client.vectorStores.update(store.id, { name: "Harbours" });
  const names: string[] = [];
  for await (const { name } of client.vectorStores.list({ limit: 1 })) names.push(name);
  expect(names).toContain("Harbours");

  await client.vectorStores.files.delete(file.id, { vector_store_id: store.id });
  expect((await client.vectorStores.search(store.id, { query })).data).toEqual([]);
  expect((await client.files.retrieve(file.id)).id).toBe(file.id);
});

test("a deleted store leaves its files", async () => {
  const { id } = await upload("It stays.");
  const store = await client.vectorStores.create({ file_ids: [id] });
  expect(store.file_counts.total).toBe(1);
  const gone = await client.vectorStores.delete(store.id);
  expect(gone).toEqual({ id: store.id, object: "vector_store.deleted", deleted: true });
  expect((await client.files.retrieve(id)).id).toBe(id);
  await expect(client.vectorStores.retrieve(store.id)).rejects.toMatchObject({
    status: 404,
  });
});

test("a file may be in several stores, with attributes that searches filter by", async () => {
  const [a, b] = [
    await upload("Ferry one leaves at six."),
    await upload("Ferry two waits."),
  ];
  const one = await client.vectorStores.create({ name: "one", file_ids: [a.id, b.id] });
  const two = await client.vectorStores.create({ name: "two", file_ids: [a.id] });
  for (const store of [one, two]) {
    const { data } = await client.vectorStores.files.list(store.id);
    expect(data.map(({ id }) => id)).toContain(a.id);
  }
  await client.files.waitForProcessing(a.id, { pollInterval: 20 });
  await client.files.waitForProcessing(b.id, { pollInterval: 20 });
  const attributes = { year: 2024, line: "north", open: true };
  const changed = await client.vectorStores.files.update(a.id, {
    vector_store_id: one.id,
    attributes,
  });
  expect(changed.attributes).toEqual(attributes);

  const search = async (filters: OpenAI.ComparisonFilter | OpenAI.CompoundFilter) => {
    const asked = { query: "ferry", filters };
    const { data } = await client.vectorStores.search(one.id, asked);
    return [...new Set(data.map(({ file_id }) => file_id))].sort();
  };
  const year = (type: "eq" | "gt" | "lte" | "ne", value: number) =>
    search({ type, key: "year", value });
  expect(await year("eq", 2_024)).toEqual([a.id]);
  expect(await year("gt", 2_024)).toEqual([]);
  expect(await year("lte", 2_024)).toEqual([a.id]);
  expect(await year("ne", 2_024)).toEqual([b.id]);
  expect(await search({ type: "in", key: "line", value: ["north", "east"] })).toEqual([
    a.id,
  ]);
  expect(await search({ type: "nin", key: "line", value: ["north"] })).toEqual([b.id]);
  const isOpen = { type: "eq", key: "open", value: true } as const;
  const isOld = { type: "lt", key: "year", value: 2_000 } as const;
  expect(await search({ type: "and", filters: [isOpen, isOld] })).toEqual([]);
  const nested = { type: "and", filters: [isOpen] } as const;
  expect(await search({ type: "or", filters: [isOld, nested] })).toEqual([a.id]);

  await client.vectorStores.files.delete(a.id, { vector_store_id: two.id });
  expect((await client.vectorStores.files.list(two.id)).data).toEqual([]);
  expect((await client.vectorStores.files.list(one.id)).data).toHaveLength(2);
});

test("a file that many stores ask for at once is in each of them", async () => {
  const { id: file_id } = await upload("Wanted by all.");
  const stores = await Promise.all(
    Array.from({ length: 6 }, () => client.vectorStores.create({ name: "wants it" })),
  );
  await Promise.all(
    stores.map(({ id }) => client.vectorStores.files.create(id, { file_id })),
  );
  for (const { id } of stores)
    expect((await client.vectorStores.files.list(id)).data).toMatchObject([
      { id: file_id },
    ]);
});

test("attaches files as a batch, pages through them, and counts what failed", async () => {
  const store = await client.vectorStores.create({ name: "batch" });
  const files = [
    await toFile(Buffer.from("One of the batch."), "one.txt"),
    await toFile(Buffer.from("Another of the batch."), "two.txt"),
    await toFile(Buffer.from(" \n \n"), "blank.txt"),
  ];
  const batch = await client.vectorStores.fileBatches.uploadAndPoll(
    store.id,
    { files },
    polling,
  );
  expect(batch).toMatchObject({
    object: "vector_store.files_batch",
    status: "completed",
    file_counts: { completed: 2, failed: 1, total: 3 },
  });
  const listed: OpenAI.VectorStores.VectorStoreFile[] = [];
  const page = { vector_store_id: store.id, limit: 1, order: "asc" } as const;
  for await (const one of client.vectorStores.fileBatches.listFiles(batch.id, page))
    listed.push(one);
  expect(listed).toHaveLength(3);
  const back = await client.vectorStores.files.list(store.id, {
    before: listed[2]?.id ?? "",
    order: "asc",
    limit: 1,
  });
  expect(back.data.map(({ id }) => id)).toEqual([listed[1]?.id]);
  const { data: failed } = await client.vectorStores.files.list(store.id, {
    filter: "failed",
  });
  expect(failed).toMatchObject([{ last_error: { code: "invalid_file" } }]);
  const batchOf = { vector_store_id: store.id };
  expect((await client.vectorStores.fileBatches.cancel(batch.id, batchOf)).status).toBe(
    "completed",
  );
});

test("another's files and stores are not found, and not searched", async () => {
  const stranger = await aUser("stranger");
  const { id: fileId } = await upload("A secret harbour.");
  const { id } = await client.vectorStores.create({ file_ids: [fileId] });
  const query = "harbour";
  const own = await stranger.vectorStores.create({ name: "mine" });
  for (const attempt of [
    () => stranger.files.retrieve(fileId),
    () => stranger.files.content(fileId),
    () => stranger.files.delete(fileId),
    () => stranger.vectorStores.retrieve(id),
    () => stranger.vectorStores.search(id, { query }),
    () => stranger.vectorStores.files.list(id),
    () => stranger.vectorStores.files.create(own.id, { file_id: fileId }),
    () => stranger.vectorStores.create({ file_ids: [fileId] }),
    () => stranger.files.retrieve("file-nothing"),
    () => stranger.vectorStores.retrieve("vs_nothing"),
  ])
    await expect(attempt()).rejects.toMatchObject({ status: 404 });
  const { data } = await stranger.vectorStores.list();
  expect(data.map(({ name }) => name)).toEqual(["mine"]);
});

test("who reads a shared store finds attached files of others only where they are shared", async () => {
  const reader = await aUser("guest");
  const me = (await (await parlance.request("/api/v1/users?limit=100")).json()) as {
    items: { id: string; email: string }[];
  };
  const guest = me.items.find(({ email }) => email === "guest@test.example")?.id ?? "";
  const [inside, elsewhere] = [
    await upload("Quay inside."),
    await upload("Quay elsewhere."),
  ];
  await client.vectorStores.create({ name: "home", file_ids: [elsewhere.id] });
  const store = await client.vectorStores.create({
    name: "shared",
    file_ids: [inside.id, elsewhere.id],
  });
  for (const { id } of [inside, elsewhere])
    await client.files.waitForProcessing(id, { pollInterval: 20 });
  await parlance.request("/api/v1/sharing/share", {
    body: {
      resourceType: "folder",
      resourceId: store.id.replace("vs_", ""),
      shares: [{ subjectType: "user", subjectId: guest, accessRole: "viewer" }],
    },
  });
  const seen = async (of: OpenAI) => {
    const { data } = await of.vectorStores.search(store.id, { query: "quay" });
    return data.map(({ filename, file_id }) => [filename, file_id]);
  };
  expect(await seen(client)).toHaveLength(2);
  expect(await seen(reader)).toEqual([["a.txt", inside.id]]);
  expect((await reader.vectorStores.retrieve(store.id)).file_counts.total).toBe(1);
  expect((await reader.vectorStores.files.list(store.id)).data).toHaveLength(1);
  const attach = reader.vectorStores.files.create(store.id, { file_id: inside.id });
  await expect(attach).rejects.toMatchObject({ status: 403 });
});
