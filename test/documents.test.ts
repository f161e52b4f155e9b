import { readdir, readFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BUCKET, S3_KEYS, startFakeS3 } from "./support/fake-s3.ts";
import { askBelow, type Body } from "./support/ask.ts";
import { type TestServer, startTestServer } from "./support/server.ts";
import { held } from "./support/held.ts";

let parlance: TestServer;
let bob: { id: string; token: string };
const NOBODY = "01a1fb8b-2522-72b4-a6e7-60a70d8e06b0";
const MOST = 300_000;
beforeAll(async () => {
  parlance = await startTestServer({
    DOCUMENT_MAX_BYTES: String(MOST),
    DOCUMENTS_QUOTA_BYTES: "1000000",
  });
  bob = await person("bob");
});
afterAll(() => parlance[Symbol.asyncDispose]());

async function person(name: string) {
  const email = `${name}@test.example`;
  const made = await parlance.request("/api/v1/users", {
    body: { email, name, password: "a long enough password" },
  });
  return {
    id: ((await made.json()) as { id: string }).id,
    token: await parlance.signIn(email, "a long enough password"),
  };
}

const ask = askBelow(() => parlance, "/api/v1/documents");
const upload = async (
  content: string | Uint8Array<ArrayBuffer>,
  name: string,
  fields: Record<string, string> = {},
  token = parlance.token,
  type = "application/x-lies",
) => {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set("file", new Blob([content], { type }), name);
  const response = await fetch(`${parlance.url}/api/v1/documents`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  return { status: response.status, body: (await response.json()) as Body };
};
const PNG = new Uint8Array([
  0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52,
]);
const stored = async () =>
  (
    await readdir(join(parlance.dataDir, "files/documents"), {
      recursive: true,
      withFileTypes: true,
    })
  ).filter((entry) => entry.isFile()).length;

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
  const ada = await person("ada");
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
  const { token } = await person("kay");
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

test.each([
  ["../../etc/passwd", "passwd"],
  ["..\\..\\evil.txt", "evil.txt"],
  ["a\r\nX: y.txt", /^[^\r\n]*y\.txt$/],
  ["%2e%2e%2fname.txt", "%2e%2e%2fname.txt"],
  [`${"n".repeat(4_000)}.txt`, /^n{196}\.txt$/],
  ["\u202etxt.exe", "txt.exe"],
])("the name %j leads nowhere", async (name, shown) => {
  const before = await stored();
  const { status, body } = await upload(`content for ${name}`, name);
  expect(status).toBe(201);
  if (typeof shown === "string") expect(body.fileName).toBe(shown);
  else expect(body.fileName).toMatch(shown);
  expect(await stored()).toBe(before + 1);
  await ask("DELETE", `/${body.id}`);
  expect(await stored()).toBe(before);
});

test("twenty client-sent types change nothing about the detected type", async () => {
  const types = ["text", "image", "application", "audio"].flatMap((group) =>
    ["plain", "png", "pdf", "svg+xml", "html"].map((kind) => `${group}/${kind}`),
  );
  const before = await stored();
  const answers = await Promise.all(
    types.flatMap((type, index) => [
      upload(
        Buffer.from(`89504e470d0a1a0a0000000d49484452${(index + 16).toString(16)}`, "hex"),
        "a.txt",
        {},
        bob.token,
        type,
      ),
      upload(new Uint8Array([0x7f, 0x45, 0x4c, 0x46, index]), "a.txt", {}, bob.token, type),
    ]),
  );
  const pictures = answers.filter((_, index) => index % 2 === 0);
  expect(new Set(pictures.map(({ body }) => body.mimeType))).toEqual(
    new Set(["image/png"]),
  );
  expect(
    new Set(answers.filter((_, index) => index % 2 === 1).map(({ body }) => body.code)),
  ).toEqual(new Set(["file_type_unsupported"]));
  expect(await stored()).toBe(before + types.length);
  held("file-types", answers.length);
  for (const { body } of pictures) await ask("DELETE", `/${body.id}`, { token: bob.token });
});

test("an unsupported, too large or empty file, or one beyond the quota, is refused and stores nothing", async () => {
  const before = await stored();
  const code = async (content: string | Uint8Array<ArrayBuffer>, name: string) =>
    (await upload(content, name)).body.code;
  expect(
    await code(new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 3]), "notes.txt"),
  ).toBe("file_type_unsupported");
  expect(await code(new Uint8Array([0, 1, 2, 3, 4]), "x.md")).toBe("file_type_unsupported");
  expect(await code("", "empty.txt")).toBe("file_empty");
  expect(await code("x".repeat(MOST + 1), "large.txt")).toBe("file_too_large");
  expect(await stored()).toBe(before);
  const eve = await person("eve");
  for (let n = 0; n < 3; n += 1)
    expect(
      (await upload(`${n}${"x".repeat(290_000)}`, `${n}.txt`, {}, eve.token)).status,
    ).toBe(201);
  const full = await upload("y".repeat(290_000), "full.txt", {}, eve.token);
  expect([full.status, full.body.code]).toEqual([413, "quota_exceeded"]);
  expect(await stored()).toBe(before + 3);
  // bytes that are stored already take no space
  const again = await upload(`0${"x".repeat(290_000)}`, "again.txt", {}, eve.token);
  expect([again.status, again.body.deduplicated]).toEqual([200, true]);
});

test("concurrent uploads cannot exceed the quota", async () => {
  const before = await stored();
  const kim = await person("kim");
  const many = await Promise.all(
    Array.from({ length: 6 }, (_, n) =>
      upload(`${n}${"z".repeat(290_000)}`, `${n}.txt`, {}, kim.token),
    ),
  );
  expect(many.map(({ status }) => status).sort()).toEqual([201, 201, 201, 413, 413, 413]);
  expect(await stored()).toBe(before + 3);
});

test.each([
  ["application/json", '{"file": "x"}', 415],
  ["multipart/form-data", "x", 400],
  ["multipart/form-data; boundary=b", "garbage", 400],
  [
    "multipart/form-data; boundary=b",
    '--b\r\nContent-Disposition: form-data; name="folderId"\r\n\r\nx\r\n--b--\r\n',
    400,
  ],
  [
    "multipart/form-data; boundary=b",
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\ncut off in the mid',
    400,
  ],
])("a body of %s that is %j is refused with %i", async (type, body, status) => {
  const before = await stored();
  const response = await fetch(`${parlance.url}/api/v1/documents`, {
    method: "POST",
    headers: { authorization: `Bearer ${parlance.token}`, "content-type": type },
    body,
  });
  expect([response.status, ((await response.json()) as Body).code]).toEqual([
    status,
    expect.stringMatching(/^(upload_invalid|multipart_expected)$/),
  ]);
  expect(await stored()).toBe(before);
});

test("an upload that breaks off stores nothing, and the server continues", async () => {
  const before = await stored();
  await new Promise<void>((resolve) => {
    const broken = httpRequest(`${parlance.url}/api/v1/documents`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${parlance.token}`,
        "content-type": "multipart/form-data; boundary=b",
        "content-length": "100000",
      },
    });
    broken.on("error", () => resolve());
    broken.write(
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nbegin',
    );
    setTimeout(() => broken.destroy(), 200);
    broken.on("close", () => resolve());
  });
  await expect.poll(stored, { timeout: 90_000 }).toBe(before);
  expect((await ask("GET", "")).status).toBe(200);
});

test("a shared document is in the user's list until the share is revoked", async () => {
  const ada = await person("lister-ada");
  const bob = await person("lister-bob");
  const folder = (await (
    await parlance.request("/api/v1/documents/folders", {
      method: "POST",
      body: { name: "Shared" },
      token: ada.token,
    })
  ).json()) as { id: string };
  const form = new FormData();
  form.set("folderId", folder.id);
  form.set("file", new Blob(["shared words"]), "shared.txt");
  const made = await fetch(`${parlance.url}/api/v1/documents`, {
    method: "POST",
    headers: { authorization: `Bearer ${ada.token}` },
    body: form,
  });
  const { id } = (await made.json()) as { id: string };
  const listed = async () => {
    const response = await parlance.request("/api/v1/documents", { token: bob.token });
    const { items, total } = (await response.json()) as {
      items: { id: string }[];
      total: number;
    };
    return [items.map((item) => item.id), total];
  };
  expect(await listed()).toEqual([[], 0]);
  const shares = [{ subjectType: "user", subjectId: bob.id, accessRole: "viewer" }];
  await parlance.request("/api/v1/sharing/share", {
    method: "POST",
    body: { resourceType: "folder", resourceId: folder.id, shares },
    token: ada.token,
  });
  expect(await listed()).toEqual([[id], 1]);
  const response = await parlance.request(`/api/v1/sharing/shares/folder/${folder.id}`, {
    token: ada.token,
  });
  const { items } = (await response.json()) as { items: { id: string }[] };
  await parlance.request(`/api/v1/sharing/shares/${items[0]?.id}`, {
    method: "DELETE",
    token: ada.token,
  });
  expect(await listed()).toEqual([[], 0]);
});

test("an editor changes a document of a shared folder but cannot move it, which would change its owner", async () => {
  const folder = (await ask("POST", "/folders", { body: { name: "Contracts" } })).body;
  const { body: document } = await upload("secret", "secret.txt", { folderId: folder.id });
  expect(
    (await upload("into it", "x.txt", { folderId: folder.id }, bob.token)).body.code,
  ).toBe("folder_not_found");
  const shares = [{ subjectType: "user", subjectId: bob.id, accessRole: "editor" }];
  await parlance.request("/api/v1/sharing/share", {
    body: { resourceType: "folder", resourceId: folder.id, shares },
  });
  const change = async (body: object) =>
    (await ask("PATCH", `/${document.id}`, { token: bob.token, body })).body;
  expect((await change({ fileName: "better.txt" })).fileName).toBe("better.txt");
  const { body: own } = await ask("POST", "/folders", {
    token: bob.token,
    body: { name: "Mine" },
  });
  expect((await change({ folderId: own.id })).code).toBe("document_read_only");
  expect((await change({ folderId: null })).code).toBe("document_read_only");
  expect(
    (await upload("into it", "x.txt", { folderId: folder.id }, bob.token)).status,
  ).toBe(201);
});

test("folders are nested 20 deep, also by moving folders that hold others", async () => {
  const chain = async (levels: number) => {
    const ids: string[] = [];
    for (let level = 0; level < levels; level += 1) {
      const body = { name: `level ${level}`, parentId: ids.at(-1) ?? null };
      ids.push((await ask("POST", "/folders", { body })).body.id);
    }
    return ids;
  };
  const [long, short] = [await chain(15), await chain(6)];
  const move = (parentId: string | undefined) =>
    ask("PATCH", `/folders/${short[0]}`, { body: { parentId } });
  expect((await move(long[14])).body.code).toBe("folder_too_deep");
  expect((await move(long[13])).status).toBe(200);
  const body = { name: "one more", parentId: short[5] };
  expect((await ask("POST", "/folders", { body })).body.code).toBe("folder_too_deep");
});

test("two users who move their folders into each other's at once cannot create a cycle", async () => {
  const make = async (name: string, token?: string) =>
    (await ask("POST", "/folders", { body: { name }, ...(token && { token }) })).body.id;
  const admins = await make("Of the administrator");
  const bobs = await make("Of Bob", bob.token);
  const share = (resourceId: string, token: string, subjectId: string) =>
    parlance.request("/api/v1/sharing/share", {
      token,
      body: {
        resourceType: "folder",
        resourceId,
        shares: [{ subjectType: "user", subjectId, accessRole: "editor" }],
      },
    });
  const me = (await (await parlance.request("/api/v1/auth/me")).json()) as { id: string };
  await share(admins, parlance.token, bob.id);
  await share(bobs, bob.token, me.id);
  const moves = await Promise.all([
    ask("PATCH", `/folders/${admins}`, { body: { parentId: bobs } }),
    ask("PATCH", `/folders/${bobs}`, { token: bob.token, body: { parentId: admins } }),
  ]);
  expect(moves.map(({ status }) => status).sort()).toEqual([200, 409]);
});

test("folders nest without cycles, and only empty ones are deleted", async () => {
  const make = async (name: string, parentId: string | null = null) =>
    (await ask("POST", "/folders", { body: { name, parentId } })).body.id;
  const top = await make("top");
  const inner = await make("inner", top);
  expect(
    (await ask("PATCH", `/folders/${top}`, { body: { parentId: inner } })).body.code,
  ).toBe("folder_cycle");
  expect((await ask("DELETE", `/folders/${top}`)).body.code).toBe("folder_not_empty");
  expect(
    (await ask("GET", `/folders?parentId=${top}`)).body.items.map(({ id }) => id),
  ).toEqual([inner]);
  expect(
    (await ask("POST", "/folders", { body: { name: "x", parentId: NOBODY } })).body.code,
  ).toBe("folder_not_found");
  expect((await ask("DELETE", `/folders/${inner}`)).status).toBe(204);
  expect((await ask("DELETE", `/folders/${top}`)).status).toBe(204);
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
  const form = new FormData();
  form.set("file", new Blob(["in the bucket"]), "note.txt");
  const headers = { authorization: `Bearer ${bucketed.token}` };
  const made = await fetch(`${bucketed.url}/api/v1/documents`, {
    method: "POST",
    headers,
    body: form,
  });
  const { id } = (await made.json()) as { id: string };
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
