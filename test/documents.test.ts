import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BUCKET, S3_KEYS, startFakeS3 } from "./support/fake-s3.ts";
import { askBelow, newPerson } from "./support/ask.ts";
import { type DocumentsServer, startDocuments } from "./support/documents-server.ts";
import { type TestServer, startTestServer } from "./support/server.ts";
import { uploadFile } from "./support/upload-file.ts";

let documents: DocumentsServer;
let parlance: TestServer;
let bob: { id: string; token: string };
beforeAll(async () => {
  documents = await startDocuments();
  parlance = documents.parlance;
  bob = await newPerson(parlance, "bob");
});
afterAll(() => documents[Symbol.asyncDispose]());
const ask = askBelow(() => parlance, "/api/v1/documents");
const upload: DocumentsServer["upload"] = (...asked) => documents.upload(...asked);
const stored = () => documents.stored();
const PNG = new Uint8Array([
  0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
]);

test("a range of a file is sent alone, and pictures are shown in place", async () => {
  const { body } = await upload("0123456789", "digits.txt");
  const read = async (headers: Record<string, string>, query = "") => {
    const response = await parlance.request(
      `/api/v1/documents/${body.id}/content${query}`,
      { headers },
    );
    return { response, text: await response.text() };
  };
  const whole = await read({});
  const etag = whole.response.headers.get("etag") ?? "";
  expect(Object.fromEntries(whole.response.headers)).toMatchObject({
    "accept-ranges": "bytes",
    "content-length": "10",
    "cache-control": "private, no-cache",
  });
  const part = await read({ range: "bytes=2-4", "if-range": etag });
  expect([part.response.status, part.text]).toEqual([206, "234"]);
  expect(Object.fromEntries(part.response.headers)).toMatchObject({
    "content-range": "bytes 2-4/10",
    "content-length": "3",
    etag,
  });
  expect((await read({ range: "bytes=-3" })).text).toBe("789");
  expect((await read({ range: "bytes=2-4", "if-range": '"other"' })).text).toBe(
    "0123456789",
  );
  expect((await read({ "if-none-match": etag })).response.status).toBe(304);
  const beyond = await read({ range: "bytes=10-" });
  expect([beyond.response.status, beyond.response.headers.get("content-range")]).toEqual([
    416,
    "bytes */10",
  ]);
  expect(JSON.parse(beyond.text)).toMatchObject({ code: "range_not_satisfiable" });
  // text may be HTML for a browser that guesses; it stays a download
  const asked = await read({}, "?inline=true");
  expect(asked.response.headers.get("content-disposition")).toMatch(/^attachment; /);

  const png = await upload(PNG, "photo.png");
  const shown = await ask("GET", `/${png.body.id}/content?inline=true`);
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    "content-type": "image/png",
    "content-disposition": expect.stringMatching(/^inline; filename="photo.png"/),
    "content-security-policy": expect.stringMatching(/^default-src 'none'.*; sandbox$/),
    "x-content-type-options": "nosniff",
  });
  const saved = await ask("GET", `/${png.body.id}/content`);
  expect(saved.headers.get("content-disposition")).toMatch(/^attachment; /);
});

test("a file is stored unchanged, typed by its bytes, and returned as an attachment", async () => {
  const { status, body } = await upload("# Grüße\n", "Grüße.md");
  expect([status, body.fileName, body.mimeType, body["status"], body.deduplicated]).toEqual(
    [201, "Grüße.md", "text/markdown", "UPLOADED", false],
  );
  const content = await ask("GET", `/${body.id}/content`);
  expect(content.bytes.toString()).toBe("# Grüße\n");
  expect(content.headers.get("content-disposition")).toContain(
    "filename*=UTF-8''Gr%C3%BC%C3%9Fe.md",
  );
  expect(content.headers.get("x-content-type-options")).toBe("nosniff");
  for (const query of ["grüße", "GRUSSE", "gruße.md"])
    expect((await ask("GET", `?query=${query}`)).body).toMatchObject({
      total: 1,
      items: [{ id: body.id }],
    });
  const png = await upload(PNG, "photo.pdf");
  expect(png.body.mimeType).toBe("image/png");
  const doc = await upload(
    await readFile("packages/to-markdown/src/formats/fixtures/plan.doc"),
    "Plan.DOC",
  );
  expect(doc.body.mimeType).toBe("application/msword");
});

test("identical bytes of one owner are one document, also concurrently; another owner has a separate one", async () => {
  const before = await stored();
  const many = await Promise.all(
    Array.from({ length: 6 }, (_, n) => upload("same bytes", `copy ${n}.txt`)),
  );
  expect(new Set(many.map(({ body }) => body.id)).size).toBe(1);
  expect(many.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 201]);
  expect(await stored()).toBe(before + 1);
  expect((await upload("same bytes", "mine.txt", {}, bob.token)).body.deduplicated).toBe(
    false,
  );
});

test("the same bytes in a second folder are a document of its own that shares the stored file", async () => {
  const ada = await newPerson(parlance, "ada");
  const { token } = ada;
  const [first, second] = await Promise.all(
    ["First", "Second"].map(
      async (name) => (await ask("POST", "/folders", { token, body: { name } })).body.id,
    ),
  );
  const before = await stored();
  const into = (folderId: string | undefined) =>
    upload("shared bytes", "shared.txt", folderId === undefined ? {} : { folderId }, token);
  const one = await into(first);
  const [other, ...again] = await Promise.all([into(second), into(second), into(second)]);
  const many = [other, ...again];
  expect(many.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
  expect(new Set(many.map(({ body }) => body.id))).toEqual(new Set([other.body.id]));
  expect(other.body.id).not.toBe(one.body.id);
  expect(await stored()).toBe(before + 1);
  expect((await ask("GET", "/summary", { token })).body).toMatchObject({ bytes: 12 });
  for (const [folder, { body }] of [
    [first, one],
    [second, other],
  ] as const) {
    const listed = (await ask("GET", `?folderId=${folder}`, { token })).body;
    expect(listed).toMatchObject({ total: 1, items: [{ id: body.id }] });
    expect((await into(folder)).body).toMatchObject({ id: body.id, deduplicated: true });
  }
  expect((await into(undefined)).body).toMatchObject({
    id: one.body.id,
    deduplicated: true,
  });
  expect((await ask("DELETE", `/${one.body.id}`, { token })).status).toBe(204);
  expect((await ask("GET", `/${one.body.id}`, { token })).status).toBe(404);
  const content = await ask("GET", `/${other.body.id}/content`, { token });
  expect(content.bytes.toString()).toBe("shared bytes");
  expect((await ask("DELETE", `/${other.body.id}`, { token })).status).toBe(204);
  expect(await stored()).toBe(before);
});

test("of two documents that share a file and are deleted at once, the last deletes the file", async () => {
  const { token } = await newPerson(parlance, "kay");
  const before = await stored();
  const ids = await Promise.all(
    ["Here", "There"].map(async (name) => {
      const { id: folderId } = (await ask("POST", "/folders", { token, body: { name } }))
        .body;
      return (await upload("deleted twice", "x.txt", { folderId }, token)).body.id;
    }),
  );
  expect([new Set(ids).size, await stored()]).toEqual([2, before + 1]);
  const ends = await Promise.all(ids.map((id) => ask("DELETE", `/${id}`, { token })));
  expect(ends.map(({ status }) => status)).toEqual([204, 204]);
  expect(await stored()).toBe(before);
});

test("with a bucket the files are stored there, and not in the data folder", async () => {
  await using s3 = await startFakeS3();
  await using bucketed = await startTestServer({
    S3_BUCKET: BUCKET,
    S3_ENDPOINT: s3.url,
    S3_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
    S3_SECRET_ACCESS_KEY: S3_KEYS.secretAccessKey,
    S3_PREFIX: "files/",
  });
  expect(await (await bucketed.request("/api/v1/health")).json()).toMatchObject({
    checks: { "file storage": { status: "ok" } },
  });
  const { id } = (await uploadFile(bucketed, "in the bucket", "note.txt")).body;
  expect(
    [...s3.objects.keys()].filter((key) => key.startsWith("files/documents/")),
  ).toHaveLength(1);
  expect(await (await bucketed.request(`/api/v1/documents/${id}/content`)).text()).toBe(
    "in the bucket",
  );
  const range = await bucketed.request(`/api/v1/documents/${id}/content`, {
    headers: { range: "bytes=3-5" },
  });
  expect([range.status, await range.text()]).toEqual([206, "the"]);
  expect(
    (await bucketed.request(`/api/v1/documents/${id}`, { method: "DELETE" })).status,
  ).toBe(204);
  expect(
    [...s3.objects.keys()].filter((key) => key.startsWith("files/documents/")),
  ).toEqual([]);
});
