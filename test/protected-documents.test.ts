import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { askBelow } from "./support/ask.ts";
import { type TestServer, startTestServer } from "./support/server.ts";
import { uploadFile } from "./support/upload-file.ts";

const PASSWORD = "sésame";
const TEXT = "Only for those who know.";
const FILE = new URL(
  "../packages/to-markdown/src/formats/fixtures/protected.docx",
  import.meta.url,
);
let parlance: TestServer;
const ask = askBelow(() => parlance, "/api/v1/documents");

beforeAll(async () => {
  parlance = await startTestServer();
});
afterAll(() => parlance[Symbol.asyncDispose]());

const upload = async (more: Uint8Array<ArrayBuffer>, password?: string) =>
  uploadFile(parlance, [await readFile(FILE), more], "plan.docx", {
    ...(password !== undefined && { fields: { password } }),
  });
const becomes = (id: string, state: object) =>
  vi.waitFor(async () => expect((await ask("GET", `/${id}`)).body).toMatchObject(state), {
    timeout: 120_000,
    interval: 200,
  });
const failed = (code: string) => ({ status: "FAILED", error: { stage: "parsing", code } });

test("a protected document says so, and is read when it is processed again with its password", async () => {
  const { id } = (await upload(new Uint8Array(1))).body;
  await becomes(id, failed("file_encrypted"));
  const again = (body: object) => ask("POST", `/${id}/reprocess`, { body });
  expect((await again({ password: "wrong" })).status).toBe(202);
  await becomes(id, failed("wrong_password"));
  expect((await again({ password: PASSWORD })).status).toBe(202);
  await becomes(id, { status: "PROCESSED", error: null });
  const { bytes } = await ask("GET", `/${id}/markdown`);
  expect(bytes.toString()).toContain(TEXT);
  // it is forgotten once the file is read
  await again({});
  await becomes(id, failed("file_encrypted"));
  expect((await again({ password: "x".repeat(256) })).status).toBe(400);
});

test("a document is read with the password of its upload, which is stored nowhere", async () => {
  const { id } = (await upload(new Uint8Array(2), PASSWORD)).body;
  await becomes(id, { status: "PROCESSED" });
  expect((await upload(new Uint8Array(3), "x".repeat(256))).body.code).toBe(
    "file_password_invalid",
  );
  const files = await readdir(parlance.dataDir, { recursive: true, withFileTypes: true });
  for (const file of files.filter((entry) => entry.isFile())) {
    const bytes = await readFile(join(file.parentPath, file.name)).catch(() =>
      Buffer.alloc(0),
    );
    expect(bytes.includes(PASSWORD), file.name).toBe(false);
  }
});

test("the parser takes the password in a header, at once and in the background", async () => {
  const parse = async (path: string, headers: Record<string, string>) => {
    const response = await fetch(`${parlance.url}/api/v1/parser/${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${parlance.token}`,
        "x-original-filename": "plan.docx",
        ...headers,
      },
      body: await readFile(FILE),
    });
    return { status: response.status, text: await response.text() };
  };
  const password = { "x-file-password": encodeURIComponent(PASSWORD) };
  expect((await parse("parse", password)).text).toContain(TEXT);
  expect(await parse("parse", {})).toMatchObject({ status: 400 });
  expect(await parse("parse", { "x-file-password": "%" })).toMatchObject({ status: 400 });
  const { job_id: job } = JSON.parse((await parse("parse-async", password)).text) as {
    job_id: string;
  };
  await vi.waitFor(
    async () => {
      const response = await parlance.request(`/api/v1/parser/parse-status/${job}`);
      expect(await response.text()).toContain(TEXT);
    },
    { timeout: 120_000, interval: 200 },
  );
});
