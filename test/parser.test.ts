import { createHash } from "node:crypto";
import { chmod, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type RunningServer, startServer } from "../src/server/compose.ts";
import { httpParser } from "../src/services/parser/backends/http-parser.ts";
import { silentLog } from "../src/platform/telemetry/log.ts";
import {
  CLOUD_KEY,
  type FakeDocumentIntelligence,
  startFakeDocumentIntelligence,
} from "../src/services/parser/testing/fake-document-intelligence.ts";
import { ANALYSIS } from "../src/services/parser/testing/layout-analysis.ts";
import { newPerson } from "./support/ask.ts";
import { type TestServer, startTestServer } from "./support/server.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";

const MOST = 200_000;
const SERVICE_SECRET = "the-secret-between-the-services";
let parlance: TestServer;
let pdfBackend: RunningServer;
let cloud: FakeDocumentIntelligence;
let provider: ScriptedProvider;
let folder: string;
let token: string;

/** An image that cannot be compressed to a small size. */
const NOISE = `${createHash("shake256", { outputLength: 3_600 }).update("noise").digest("hex")}>`;

/** A PDF with text on its first page and a large image on its second. */
function pdf(text: string): string {
  const content = `BT /F 14 Tf 40 700 Td (${text}) Tj ET`;
  return `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R 6 0 R]/Count 2>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
4 0 obj<</Length ${content.length}>>stream
${content}
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
6 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 7 0 R/Resources<</XObject<</I 8 0 R>>>>>>endobj
7 0 obj<</Length 30>>stream
q 500 0 0 700 50 50 cm /I Do Q
endstream endobj
8 0 obj<</Type/XObject/Subtype/Image/Width 60/Height 60/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/ASCIIHexDecode/Length ${NOISE.length}>>stream
${NOISE}
endstream endobj
trailer<</Root 1 0 R>>
%%EOF`;
}
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlance-parser-"));
  // a Tesseract on pipes that reads the same text from every image
  const command = join(folder, "tesseract");
  await writeFile(
    command,
    `#!/bin/sh\nif [ "$1" = --list-langs ]; then echo "List of available languages (2):"; echo deu; echo osd; exit; fi\ncat >&2\necho "Read from a picture by $1 $2 $3 $4"\n`,
  );
  await chmod(command, 0o755);
  cloud = await startFakeDocumentIntelligence();
  provider = await startScriptedProvider();
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
      PUBLIC_URL: "http://pdf.example",
      DATA_DIR: folder,
      SERVICE_SECRET,
      ...Object.fromEntries(secrets.map((name) => [name, "another-secret-of-the-server"])),
    },
  });
  parlance = await startTestServer({
    SERVICE_SECRET,
    PARSER_MAX_BYTES: String(MOST),
    OCR_COMMAND: command,
    OCR_LANGUAGES: "eng,deu",
    CAPTION_MODEL: "gpt-test",
    OPENAI_API_KEY: "k",
    OPENAI_BASE_URL: provider.url,
    OPENAI_MODELS: "gpt-test",
    DOCUMENT_INTELLIGENCE_ENDPOINT: cloud.url,
    DOCUMENT_INTELLIGENCE_KEY: CLOUD_KEY,
  });
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await pdfBackend[Symbol.asyncDispose]();
  await cloud[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});
let people = 0;
let asked = Number.POSITIVE_INFINITY;
const another = async () => {
  token = (await newPerson(parlance, `reader${(people += 1)}`)).token;
  asked = 0;
};
beforeEach(async () => {
  // most tests are not about the requests per minute
  if (asked > 6) await another();
  Object.assign(cloud.script, {
    busy: 0,
    running: 0,
    status: "succeeded",
    result: ANALYSIS,
    error: undefined,
  });
  cloud.requests.splice(0);
});

interface Answer {
  markdown: string;
  metadata: {
    parserMethod: string;
    pages: number;
    mimeType: string;
    fileName: string;
    trace: { backend: string; outcome: string }[];
  };
  job_id: string;
  status: string;
  code: string;
  error: { code: string };
  result: Answer;
  [field: string]: unknown;
}

async function send(
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
  as = token,
): Promise<{ status: number; headers: Headers; text: string; body: Answer }> {
  asked += 1;
  const response = await fetch(parlance.url + path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${as}`,
      "content-type": "application/octet-stream",
      ...headers,
    },
    body,
  });
  const text = await response.text();
  const json = response.headers.get("content-type")?.includes("json");
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: (json ? JSON.parse(text) : {}) as Answer,
  };
}
const named = (name: string) => ({ "x-original-filename": encodeURIComponent(name) });
/** The document service would read text first, and the fake one always returns the same. */
const methodFor = (name: string) =>
  /\.(?:md|txt)$/.test(name) ? "?parser_method=local" : "";
const parse = (
  body: string | Uint8Array<ArrayBuffer>,
  name = "a.md",
  query = methodFor(name),
  headers = {},
) => send(`/api/v1/parser/parse${query}`, body, { ...named(name), ...headers });
const submit = (body: string, name = "a.md", headers = {}) =>
  send(`/api/v1/parser/parse-async${methodFor(name)}`, body, {
    ...named(name),
    ...headers,
  });
const statusOf = async (id: string) =>
  (await (
    await parlance.request(`/api/v1/parser/parse-status/${id}`, { token })
  ).json()) as Answer;
const settled = (id: string) =>
  vi.waitFor(
    async () => {
      const job = await statusOf(id);
      expect(["completed", "failed"]).toContain(job.status);
      return job;
    },
    { timeout: 90_000 },
  );
const left = async (below: string) =>
  (
    await readdir(join(parlance.dataDir, below), {
      recursive: true,
      withFileTypes: true,
    }).catch(() => [])
  ).filter((entry) => entry.isFile()).length;

test("a job that names a document keeps its own result, and does not change the document", async () => {
  const form = new FormData();
  form.set("file", new Blob(["of the document"]), "document.txt");
  const headers = { authorization: `Bearer ${token}` };
  const made = await fetch(`${parlance.url}/api/v1/documents`, {
    method: "POST",
    headers,
    body: form,
  });
  const { id } = (await made.json()) as { id: string };
  const { body } = await send(
    `/api/v1/parser/parse-async?document_id=${id}&parser_method=local`,
    "of the job",
    named("job.txt"),
  );
  expect(await settled(body.job_id)).toMatchObject({
    status: "completed",
    document_id: id,
    result: { markdown: "of the job" },
  });
  const document = () =>
    parlance
      .request(`/api/v1/documents/${id}`, { token })
      .then((response) => response.json());
  await vi.waitFor(
    async () => expect(await document()).toMatchObject({ status: "PROCESSED" }),
    {
      timeout: 90_000,
    },
  );
  expect((await settled(body.job_id)).result.markdown).toBe("of the job");
});

test("an e-mail is read with its attachments on pages of their own, and unreadable ones are listed", async () => {
  const attached = (name: string, bytes: string | Buffer) =>
    `--x\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(bytes).toString("base64")}\r\n`;
  const mail = `Subject: Offer\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nSee below.\r\n${attached("prices.csv", "What,Price\nTea,3\n")}${attached("terms.pdf", pdf("Delivered in a week"))}${attached("app.bin", Buffer.alloc(80, 1))}--x--`;
  const { status, body } = await parse(mail, "offer.eml", "?extract_tables=True");
  expect(status).toBe(200);
  expect(body.markdown.split("\f").map((page) => page.trim())).toEqual([
    "# Offer\n\nSee below.\n\n**Attachments:**\n\n- prices.csv\n- terms.pdf\n- app.bin",
    "# prices.csv\n\n| What | Price |\n| --- | --- |\n| Tea | 3 |",
    "# terms.pdf\n\nDelivered in a week",
    expect.any(String),
  ]);
  expect(body.metadata).toMatchObject({
    pages: 4,
    mimeType: "message/rfc822",
    warnings: [expect.stringContaining("app.bin")],
  });
});

test("a file is returned as Markdown, also as plain text, and not stored", async () => {
  const { status, body } = await parse("# Grüße\n\nText\n", "Grüße aus Bonn.md");
  expect([status, body.markdown.trim()]).toEqual([200, "# Grüße\n\nText"]);
  expect(body.metadata).toMatchObject({
    fileName: "Grüße aus Bonn.md",
    mimeType: "text/markdown",
    pages: 1,
    parserMethod: "local",
    fallbacks: [],
    trace: [{ backend: "local", outcome: "used" }],
  });
  const bare = await parse("# Hi\n", "a.md", methodFor("a.md"), {
    accept: "text/markdown",
  });
  expect([bare.headers.get("content-type"), bare.text.trim()]).toEqual([
    "text/markdown; charset=utf-8",
    "# Hi",
  ]);
  expect(cloud.requests).toEqual([]);
  expect(await left("parsing")).toBe(0);
});

test("an upload as a form is read, too", async () => {
  const form = new FormData();
  form.append(
    "file",
    new Blob(["<h1>Title</h1><p>Text</p>"], { type: "application/x-lies" }),
    "page.html",
  );
  const response = await parlance.request("/api/v1/parser/parse?parser_method=local", {
    method: "POST",
    token,
    headers: {},
  });
  expect(response.status).toBe(400);
  const sent = await fetch(`${parlance.url}/api/v1/parser/parse?parser_method=local`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  const body = (await sent.json()) as Answer;
  expect([body.metadata.mimeType, body.metadata.fileName, body.markdown]).toEqual([
    "text/html",
    "page.html",
    expect.stringContaining("# Title"),
  ]);
});

test.each([
  ["no name", "text", {}, "", [400, "file_name_required"]],
  ["no bytes", "", named("a.md"), "", [400, "file_empty"]],
  ["too many bytes", "x".repeat(MOST + 1), named("a.md"), "", [413, "file_too_large"]],
  ["a program", "\x7fELF\0\0\0\0", named("a.md"), "", [415, "file_type_unsupported"]],
  [
    "an unknown backend",
    "text",
    named("a.md"),
    "?parser_method=magic",
    [400, "validation_failed"],
  ],
  [
    "JSON posing as a form",
    "{}",
    { ...named("a.md"), "content-type": "multipart/form-data; boundary=b" },
    "",
    [400, "upload_invalid"],
  ],
  [
    "a damaged PDF",
    "%PDF-1.4 nothing",
    named("a.pdf"),
    "?parser_method=pdf_fallback",
    [200, undefined],
  ],
] as const)("%s is reported", async (_, body, headers, query, [status, code]) => {
  const answer = await send(`/api/v1/parser/parse${query}`, body, headers);
  expect([answer.status, answer.body.code]).toEqual([status, code]);
  expect(await left("parsing")).toBe(0);
});

test.each([
  ["%2e%2e%2f%2e%2e%2fetc%2fpasswd", "passwd"],
  ["..\\..\\evil.md", "evil.md"],
  ["a%00b.md", "ab.md"],
  ["a%0d%0aX-Injected:%20y.md", "aX-Injected: y.md"],
  [`${"n".repeat(4_000)}.md`, `${"n".repeat(197)}.md`],
  ["100%.md", "100%.md"],
])("the name %s leads nowhere", async (header, shown) => {
  const { status, body } = await send("/api/v1/parser/parse", "text", {
    "x-original-filename": header,
  });
  expect([status, body.metadata.fileName]).toEqual([200, shown]);
});

test("the bytes determine the type: an image named as a PDF is read as an image", async () => {
  Object.assign(cloud.script, {
    status: "failed",
    error: { code: "InternalServerError", message: "x" },
  });
  const { body } = await parse(new Uint8Array(PNG), "contract.pdf");
  expect([body.metadata.mimeType, body.markdown, body.metadata.parserMethod]).toEqual([
    "image/png",
    "Read from a picture by stdin stdout -l deu",
    "local",
  ]);
});

test("the cloud reads first; when it fails our own reader does, and the trace says so", async () => {
  const first = await parse(pdf("A page that was read at home, word for word."), "a.pdf");
  expect([first.body.metadata.parserMethod, first.body.markdown.split("\f")[1]]).toEqual([
    "document_intelligence",
    "## Terms\n\nWithin 30 days.",
  ]);
  Object.assign(cloud.script, {
    status: "failed",
    error: { code: "InternalServerError", message: "planted-upstream-words" },
  });
  const second = await parse(
    pdf("A page that was read at home, word for word."),
    "a.pdf",
    "?ocr_enabled=true&ocr_mode=auto",
  );
  expect(second.body.metadata).toMatchObject({
    parserMethod: "pdf_fallback",
    fallbacks: [{ backend: "document_intelligence" }],
  });
  expect(second.body.markdown.split("\f").map((page) => page.trim())).toEqual([
    "A page that was read at home, word for word.",
    "Read from a picture by stdin stdout -l deu",
  ]);
  expect(
    second.body.metadata.trace.map(({ backend, outcome }) => `${backend} ${outcome}`),
  ).toEqual([
    "optional_parser_one skipped",
    "optional_parser_two skipped",
    "document_intelligence failed",
    "pdf_fallback used",
    "ocr:tesseract improved",
  ]);
  expect(second.text).not.toContain("planted");
  const chosen = await parse(
    pdf("A page that was read at home, word for word."),
    "a.pdf",
    "?parser_method=pdf_fallback",
  );
  expect(chosen.body.metadata.parserMethod).toBe("pdf_fallback");
});

test("a model describes images in the Markdown", async () => {
  provider.answer(() => ({ text: ["A single", " grey point."] }));
  const query =
    "?parser_method=pdf_fallback&caption_images=true&extract_images=true&extract_tables=true";
  const { body } = await parse(
    pdf("A page that was read at home, word for word."),
    "a.pdf",
    query,
  );
  const images = body["images"] as { caption?: string; data: string }[];
  expect([body["tables"], images.length]).toEqual([[], 1]);
  expect(images[0]?.caption).toBe("A single grey point.");
  expect(body.markdown.split("\f")[1]).toContain("![A single grey point.](");
});

test("a file without any text fails with advice", async () => {
  const empty = pdf("").replace("/Kids[3 0 R 6 0 R]/Count 2", "/Kids[3 0 R]/Count 1");
  const { body } = await parse(empty, "a.pdf", "?parser_method=pdf_fallback");
  expect([body.metadata.parserMethod, body.metadata.pages]).toEqual([
    "document_intelligence",
    2,
  ]);
  cloud.script.result = { content: "", pages: [{ pageNumber: 1, spans: [] }] };
  const nothing = await parse(empty, "a.pdf", "?parser_method=pdf_fallback");
  expect([nothing.status, nothing.body.code]).toEqual([422, "no_text_found"]);
});

test("a job runs in the background; its state, result and Markdown can be read", async () => {
  const { status, body } = await submit("# Later\n");
  expect([status, body]).toEqual([202, { job_id: expect.any(String), status: "queued" }]);
  const job = await settled(body.job_id);
  expect(job).toMatchObject({
    job_id: body.job_id,
    status: "completed",
    progress: 1,
    file_name: "a.md",
  });
  expect(job.result.markdown.trim()).toBe("# Later");
  const download = await parlance.request(`/api/v1/parser/parse-result/${body.job_id}`, {
    token,
  });
  expect([
    download.headers.get("content-disposition"),
    (await download.text()).trim(),
  ]).toEqual([expect.stringContaining('filename="a.md.md"'), "# Later"]);
  expect(await left("files/parser-uploads")).toBe(0);
  const gone = await parlance.request(`/api/v1/parser/parse-status/${body.job_id}`, {
    method: "DELETE",
    token,
  });
  expect(gone.status).toBe(204);
  expect(((await statusOf(body.job_id)) as Answer).code).toBe("job_not_found");
});

test("a repeated key with the same bytes returns the same job, with other bytes a conflict, and keys are separate for each user", async () => {
  const key = { "idempotency-key": "once" };
  const all = await Promise.all([
    submit("same", "a.md", key),
    submit("same", "a.md", key),
    submit("same", "b.md", key),
  ]);
  const { job_id } = all[0]?.body ?? {};
  expect(all.map(({ status, body }) => [status, body.job_id])).toEqual(
    [202, 202, 202].map((status) => [status, job_id]),
  );
  const other = await submit("other bytes", "a.md", key);
  expect([other.status, other.body.code]).toEqual([409, "idempotency_key_reused"]);
  await settled(job_id ?? "");
  await another();
  expect((await submit("other bytes", "a.md", key)).status).toBe(202);
});

test("a failed job says why", async () => {
  const job = await settled((await submit("\x7fELF\0\0\0\0")).body.job_id);
  expect([job.status, job.error.code]).toEqual(["failed", "file_type_unsupported"]);
  cloud.script.result = { content: "", pages: [{ pageNumber: 1, spans: [] }] };
  const empty = await settled(
    (
      await submit(
        pdf("").replace("/Kids[3 0 R 6 0 R]/Count 2", "/Kids[3 0 R]/Count 1"),
        "a.pdf",
      )
    ).body.job_id,
  );
  expect(empty.error).toMatchObject({
    code: "no_text_found",
    trace: expect.arrayContaining([
      expect.objectContaining({ backend: "pdf_fallback", outcome: "skipped" }),
    ]),
  });
});

test("a stopped job is not parsed further", async () => {
  cloud.script.running = 1_000_000;
  const { job_id } = (await submit(pdf("x"), "a.pdf")).body;
  await vi.waitFor(() => expect(cloud.requests.length).toBeGreaterThan(2), 90_000);
  expect(
    (
      await parlance.request(`/api/v1/parser/parse-status/${job_id}`, {
        method: "DELETE",
        token,
      })
    ).status,
  ).toBe(204);
  expect((await statusOf(job_id)).error.code).toBe("cancelled");
  await vi.waitFor(() => expect(cloud.requests.at(-1)?.method).toBe("DELETE"), 90_000);
});

test("ten files a minute are parsed at once and thirty in the background; then the answer says when to try again", async () => {
  await another();
  const many = await Promise.all(Array.from({ length: 11 }, () => parse("text")));
  expect(many.map(({ status }) => status).sort()).toEqual([
    ...Array.from({ length: 10 }, () => 200),
    429,
  ]);
  const refused = many.find(({ status }) => status === 429);
  expect([Number(refused?.headers.get("retry-after")) > 0, refused?.body.code]).toEqual([
    true,
    "rate_limited",
  ]);
  const jobs = await Promise.all(Array.from({ length: 31 }, () => submit("text")));
  expect(jobs.filter(({ status }) => status === 429)).toHaveLength(1);
});

test("the limit of a service applies whichever users it names", async () => {
  const answers = await Promise.all(
    Array.from({ length: 11 }, (_, n) =>
      fetch(`${parlance.internalUrl}/api/v1/parser/parse?user_id=user-${n}`, {
        method: "POST",
        headers: {
          ...named("a.md"),
          "content-type": "application/octet-stream",
        },
        body: "text",
      }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([
    ...Array.from({ length: 10 }, () => 200),
    429,
  ]);
});

test("a document is parsed on its way to the index, and a stopped one is not parsed further", async () => {
  const upload = async (content: string, name: string) => {
    const form = new FormData();
    form.append("file", new Blob([content]), name);
    const response = await fetch(`${parlance.url}/api/v1/documents`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    return ((await response.json()) as { id: string }).id;
  };
  const read = async (id: string) =>
    (await (await parlance.request(`/api/v1/documents/${id}`, { token })).json()) as {
      parsing: unknown;
      status: string;
    };
  const id = await upload("on,way\n1,2\n", "way.csv");
  await vi.waitFor(
    async () => expect((await read(id)).parsing).toMatchObject({ parserMethod: "local" }),
    90_000,
  );
  const markdown = await parlance.request(`/api/v1/documents/${id}/markdown`, { token });
  expect((await markdown.text()).trim()).toBe("| on | way |\n| --- | --- |\n| 1 | 2 |");

  cloud.script.running = 1_000_000;
  const slow = await upload(pdf("slow"), "slow.pdf");
  await vi.waitFor(() => expect(cloud.requests.length).toBeGreaterThan(2), 90_000);
  expect((await read(slow)).status).toBe("PARSING");
  await parlance.request(`/api/v1/documents/${slow}/stop`, { method: "POST", token });
  await vi.waitFor(() => expect(cloud.requests.at(-1)?.method).toBe("DELETE"), 90_000);
});

test("the PDF backend alone parses PDFs for callers with the secret, over the protocol of the chain", async () => {
  const { port } = new URL(pdfBackend.internalUrl ?? "");
  const url = `http://127.0.0.1:${port}/api/v1/pdf/parse`;
  const ask = (body: string) =>
    fetch(url, { method: "POST", headers: named("a.pdf"), body });
  const answer = (await (await ask(pdf("Alone"))).json()) as Answer;
  expect([answer["pages"], answer.markdown.split("\f")[0]?.trim()]).toEqual([2, "Alone"]);
  expect((await ask("no PDF")).status).toBe(415);
  const path = join(folder, "alone.pdf");
  await writeFile(path, pdf("Asked by the chain"));
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

test("a file is cut into chunks of the requested size, each with its page and headings", async () => {
  const text = Array.from(
    { length: 40 },
    (_, n) => `Sentence number ${n} of the terms says something.`,
  ).join(" ");
  const body = `# Contract\n\n${text}\n\n## Price\n\nTwelve euros.\n`;
  for (const path of ["/api/v1/services/process-document", "/services/process-document"]) {
    const query = "chunk_size=100&overlap=10&parser_method=local";
    const answer = await send(`${path}?${query}`, body, named("Verträge.md"));
    expect(answer.body).toMatchObject({
      fileName: "Verträge.md",
      mimeType: "text/markdown",
      pages: 1,
      device: "cpu",
    });
    const chunks = answer.body["chunks"] as {
      index: number;
      text: string;
      tokenCount: number;
      pageNumber: number;
      headings: string[];
    }[];
    expect(chunks.length).toBeGreaterThan(3);
    expect(answer.body["totalChunks"]).toBe(chunks.length);
    expect(chunks.every(({ tokenCount }) => tokenCount <= 100)).toBe(true);
    expect(chunks.map(({ index }) => index)).toEqual([...chunks.keys()]);
    expect([chunks.at(-1)?.pageNumber, chunks[0]?.headings]).toEqual([
      1,
      expect.arrayContaining(["Contract"]),
    ]);
  }
  const wrong = await send(
    "/api/v1/services/process-document?chunk_size=10&overlap=10",
    body,
    named("a.md"),
  );
  expect([wrong.status, wrong.body.code]).toEqual([400, "validation_failed"]);
  expect(
    (await send("/api/v1/services/process-document?chunk_size=10", body, named("a.md")))
      .status,
  ).toBe(200);
});

test("probes, health and information are available", async () => {
  const get = async (path: string) => {
    const response = await parlance.request(path, { token });
    return {
      status: response.status,
      body: (await response.json()) as Record<string, Record<string, unknown>>,
    };
  };
  for (const path of ["/health/", "/health/healthz", "/health/liveness"])
    expect(await get(path)).toEqual({ status: 200, body: { status: "ok" } });
  for (const path of ["/health/readiness", "/health/readyz", "/health/detailed"])
    expect(Object.keys((await get(path)).body["checks"] ?? {})).toEqual([
      "memory",
      "disk",
      "parsers",
      "queue",
    ]);
  expect((await get("/api/v1/parser/health")).body["backends"]).toMatchObject({
    document_intelligence: { status: "ok" },
    pdf_fallback: { status: "ok" },
    optional_parser_one: { status: "absent", detail: "OPTIONAL_PARSER_ONE_URL is not set" },
  });
  const { body } = await get("/api/v1/parser/info");
  expect(body).toMatchObject({
    default: "document_intelligence",
    ocr: [
      { key: "ocr:model", available: false },
      { key: "ocr:tesseract", available: true },
    ],
    captions: { available: true },
    limits: { maxBytes: MOST, parsesPerMinute: 10, jobsPerMinute: 30 },
  });
});
