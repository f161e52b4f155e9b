import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { silentLog } from "../src/platform/telemetry/log.ts";
import { type RunningServer, startServer } from "../src/server/compose.ts";
import { httpParser } from "../src/services/parser/backends/http-parser.ts";
import { named, type ParserAnswer } from "./support/parser-server.ts";
import { pdfWithImage } from "./support/pdf-with-image.ts";

let pdfBackend: RunningServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlance-pdf-backend-"));
  const secrets = [
    "MCP_SERVICE_SECRET",
    "COMPLETION_SERVICE_SECRET",
    "USER_SERVICE_SECRET",
    "ENCRYPTION_KEY",
  ];
  pdfBackend = await startServer({
    services: ["pdf-backend"],
    log: silentLog(),
    env: {
      PORT: "0",
      DATA_DIR: folder,
      SERVICE_SECRET: "the-secret-between-the-services",
      ...Object.fromEntries(secrets.map((name) => [name, "another-secret-of-the-server"])),
    },
  });
});
afterAll(async () => {
  await pdfBackend[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

test("the PDF backend alone parses PDFs for callers with the secret, over the protocol of the chain", async () => {
  const { port } = new URL(pdfBackend.internalUrl ?? "");
  const url = `http://127.0.0.1:${port}/api/v1/pdf/parse`;
  const ask = (body: string) =>
    fetch(url, { method: "POST", headers: named("a.pdf"), body });
  const answer = (await (await ask(pdfWithImage("Alone"))).json()) as ParserAnswer;
  expect([answer["pages"], answer.markdown.split("\f")[0]?.trim()]).toEqual([2, "Alone"]);
  expect((await ask("no PDF")).status).toBe(415);
  const path = join(folder, "alone.pdf");
  await writeFile(path, pdfWithImage("Asked by the chain"));
  const there = httpParser(fetch, {
    key: "optional_parser_two",
    name: "Another",
    url: `http://127.0.0.1:${port}`,
    variable: "OPTIONAL_PARSER_TWO_URL",
    timeoutMs: 20_000,
  });
  const source = { path, fileName: "Grüße.pdf", mimeType: "application/pdf", size: 1 };
  const { signal } = new AbortController();
  const parsed = await there.parse(source, { extractImages: true }, signal);
  expect([parsed.pages, parsed.pageQuality[1]?.images, parsed.images?.length]).toEqual([
    2, 1, 1,
  ]);
  expect(parsed.images?.[0]?.bytes.byteLength).toBeGreaterThan(20);
  await expect(there.check?.(signal)).resolves.toBeUndefined();
});
