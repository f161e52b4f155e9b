import { createHash } from "node:crypto";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  CLOUD_KEY,
  type FakeDocumentIntelligence,
  startFakeDocumentIntelligence,
} from "../src/services/parser/testing/fake-document-intelligence.ts";
import { type TestServer, startTestServer } from "./support/server.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { settingsOf } from "./support/scripted-server.ts";

/** Each step of parsing a file has a time limit, and all of them share the file's limit. */

/** Enough for a busy machine to start three processes and reach the step that never ends. */
const LIMIT_MS = 16_000;
let parlance: TestServer;
let cloud: FakeDocumentIntelligence;
let provider: ScriptedProvider;
let folder: string;
let pids: string;

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
/** An image that cannot be compressed to a small size, so that it is captioned. */
const NOISE = `${createHash("shake256", { outputLength: 3_600 }).update("noise").digest("hex")}>`;
const CONTENT =
  "BT /F 14 Tf 40 700 Td (Words above a picture, enough of them for a page.) Tj ET q 500 0 0 600 50 50 cm /I Do Q";
const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>/XObject<</I 6 0 R>>>>>>endobj
4 0 obj<</Length ${CONTENT.length}>>stream
${CONTENT}
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
6 0 obj<</Type/XObject/Subtype/Image/Width 60/Height 60/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/ASCIIHexDecode/Length ${NOISE.length}>>stream
${NOISE}
endstream endobj
trailer<</Root 1 0 R>>
%%EOF`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlance-deadline-"));
  pids = join(folder, "pids");
  await writeFile(pids, "");
  // an OCR that never ends
  const command = join(folder, "tesseract");
  await writeFile(
    command,
    `#!/bin/sh\nif [ "$1" = --list-langs ]; then echo "Languages (1):"; echo eng; exit; fi\necho $$ >>${pids}\nexec sleep 600\n`,
  );
  await chmod(command, 0o755);
  cloud = await startFakeDocumentIntelligence();
  provider = await startScriptedProvider(() => ({ silent: true }));
  parlance = await startTestServer({
    PARSER_JOB_TIME_LIMIT: String(LIMIT_MS),
    OCR_COMMAND: command,
    // writes its process id to a file, which an isolated process cannot
    PARSER_ISOLATION: "off",
    CAPTION_MODEL: "gpt-test",
    ...settingsOf(provider),
    DOCUMENT_INTELLIGENCE_ENDPOINT: cloud.url,
    DOCUMENT_INTELLIGENCE_KEY: CLOUD_KEY,
  });
  // wait for the first process to start
  await send("parse", "# warm", "a.md");
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await cloud[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

interface Failure {
  code: string;
  trace: { backend: string; outcome: string; reason?: string; durationMs: number }[];
}

async function send(
  way: string,
  body: string | Uint8Array<ArrayBuffer>,
  name: string,
  query = "",
) {
  const response = await fetch(`${parlance.url}/api/v1/parser/${way}${query}`, {
    method: "POST",
    headers: { authorization: `Bearer ${parlance.token}`, "x-original-filename": name },
    body,
  });
  return {
    status: response.status,
    body: (await response.json()) as Partial<Failure> & {
      job_id?: string;
      details?: Pick<Failure, "trace">;
    },
  };
}
const stateOf = async (id: string) =>
  (await (await parlance.request(`/api/v1/parser/parse-status/${id}`)).json()) as {
    status: string;
    error: Failure;
  };
const failed = (id: string) =>
  vi.waitFor(async () => {
    const { status, error } = await stateOf(id);
    expect(status).toBe("failed");
    return error;
  }, LIMIT_MS + 30_000);
const submit = async (
  body: string | Uint8Array<ArrayBuffer>,
  name: string,
  query: string,
) => (await send("parse-async", body, name, query)).body.job_id ?? "";
const ended = (error: Partial<Failure>, step: string) => {
  expect(error).toMatchObject({ code: "parsing_timeout" });
  const last = error.trace?.at(-1);
  expect(last).toMatchObject({
    backend: step,
    outcome: "failed",
    reason: expect.stringContaining(`${LIMIT_MS / 1_000} s`),
  });
  expect(last?.durationMs).toBeGreaterThan(0);
};
const ocrRuns = async () => {
  const lines = (await readFile(pids, "utf8")).split("\n").filter(Boolean).map(Number);
  return lines.filter((pid) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  }).length;
};

test("a job whose time is over has failed permanently, and its trace ends with the running step: the cloud", async () => {
  cloud.script.running = 1_000_000;
  const error = await failed(await submit(PDF, "a.pdf", ""));
  ended(error, "document_intelligence");
  await vi.waitFor(() => expect(cloud.requests.at(-1)?.method).toBe("DELETE"), 90_000);
});

test("OCR and captions count too, in the background and in a request, and nothing of them continues", async () => {
  Object.assign(cloud.script, {
    running: 0,
    status: "failed",
    error: { code: "InternalServerError", message: "no" },
  });
  const [job, answer, captions] = await Promise.all([
    submit(PNG, "a.png", "?parser_method=local").then(failed),
    send("parse", PNG, "b.png", "?parser_method=local"),
    send("parse", PDF, "c.pdf", "?parser_method=pdf_fallback&caption_images=true"),
  ]);
  ended(job, "ocr:tesseract");
  expect(job.trace.map(({ backend }) => backend)).toContain("local");
  expect([answer.status, captions.status]).toEqual([422, 422]);
  for (const [{ body }, step] of [
    [answer, "ocr:tesseract"],
    [captions, "captions"],
  ] as const)
    ended({ ...body, ...body.details }, step);
  await vi.waitFor(async () => expect(await ocrRuns()).toBe(0), 90_000);
  await vi.waitFor(() => expect(provider.aborted).toBe(provider.requests.length), 90_000);
});

test("a stopped job ends at once, whatever time is left, and OCR stops", async () => {
  const id = await submit(PNG, "a.png", "?parser_method=local");
  await vi.waitFor(async () => expect(await ocrRuns()).toBe(1), {
    timeout: LIMIT_MS - 500,
    interval: 50,
  });
  expect(
    (await parlance.request(`/api/v1/parser/parse-status/${id}`, { method: "DELETE" }))
      .status,
  ).toBe(204);
  expect((await stateOf(id)).error.code).toBe("cancelled");
  await vi.waitFor(async () => expect(await ocrRuns()).toBe(0), 90_000);
  expect((await stateOf(id)).error.code).toBe("cancelled");
});
