import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { askBelow } from "./support/ask.ts";
import { type DocumentsServer, startDocuments } from "./support/documents-server.ts";

const SECRET = "the harbour master keeps the key";
/** Several segments. */
const CONTENT = `# Orders\n\n${`${SECRET}. `.repeat(4_500)}`;

let documents: DocumentsServer;
beforeAll(async () => {
  const key = Buffer.alloc(32, 7).toString("base64");
  documents = await startDocuments({ FILES_ENCRYPTION_KEY: key });
});
afterAll(() => documents[Symbol.asyncDispose]());
const ask = askBelow(() => documents.parlance, "/api/v1/documents");

test("an encrypted document is processed and sent as any other, and no stored file shows its words", async () => {
  const { parlance } = documents;
  const { status, body } = await documents.upload(CONTENT, "orders.md");
  expect(status).toBe(201);
  await vi.waitFor(
    async () =>
      expect((await ask("GET", `/${body.id}`)).body).toMatchObject({ status: "PROCESSED" }),
    { timeout: 60_000, interval: 200 },
  );
  const url = `${parlance.url}/api/v1/documents/${body.id}/content`;
  const headers = { authorization: `Bearer ${parlance.token}` };
  expect(await (await fetch(url, { headers })).text()).toBe(CONTENT);
  const range = await fetch(url, { headers: { ...headers, range: "bytes=70000-140000" } });
  expect([range.status, await range.text()]).toEqual([206, CONTENT.slice(70_000, 140_001)]);

  const folder = join(parlance.dataDir, "files");
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile());
  // the document and its text
  expect(names.length).toBeGreaterThanOrEqual(2);
  for (const { parentPath, name } of names)
    expect((await readFile(join(parentPath, name))).includes(SECRET)).toBe(false);
});
