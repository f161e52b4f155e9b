import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askBelow, type Body, newPerson } from "./support/ask.ts";
import { type DocumentsServer, startDocuments } from "./support/documents-server.ts";
import type { TestServer } from "./support/server.ts";
import { held } from "./support/held.ts";

const MOST = 300_000;
let documents: DocumentsServer;
let parlance: TestServer;
let bob: { id: string; token: string };
beforeAll(async () => {
  documents = await startDocuments({
    DOCUMENT_MAX_BYTES: String(MOST),
    DOCUMENTS_QUOTA_BYTES: "1000000",
  });
  parlance = documents.parlance;
  bob = await newPerson(parlance, "bob");
});
afterAll(() => documents[Symbol.asyncDispose]());
const ask = askBelow(() => parlance, "/api/v1/documents");
const upload: DocumentsServer["upload"] = (...asked) => documents.upload(...asked);
const stored = () => documents.stored();

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
  const eve = await newPerson(parlance, "eve");
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
  const kim = await newPerson(parlance, "kim");
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
  await expect.poll(stored).toBe(before);
  expect((await ask("GET", "")).status).toBe(200);
});
