import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  MAX_BYTES,
  named,
  type ParserAnswer,
  type ParserServer,
  startParserServer,
} from "./support/parser-server.ts";
import { pdfWithImage } from "./support/pdf-with-image.ts";

let parser: ParserServer;
beforeAll(async () => {
  parser = await startParserServer();
});
afterAll(() => parser[Symbol.asyncDispose]());
beforeEach(() => parser.reset());

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

test("an e-mail is read with its attachments on pages of their own, and unreadable ones are listed", async () => {
  const attached = (name: string, bytes: string | Buffer) =>
    `--x\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(bytes).toString("base64")}\r\n`;
  const mail = `Subject: Offer\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nSee below.\r\n${attached("prices.csv", "What,Price\nTea,3\n")}${attached("terms.pdf", pdfWithImage("Delivered in a week"))}${attached("app.bin", Buffer.alloc(80, 1))}--x--`;
  const { status, body } = await parser.parse(mail, "offer.eml", "?extract_tables=True");
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
  const { status, body } = await parser.parse("# Grüße\n\nText\n", "Grüße aus Bonn.md");
  expect([status, body.markdown.trim()]).toEqual([200, "# Grüße\n\nText"]);
  expect(body.metadata).toMatchObject({
    fileName: "Grüße aus Bonn.md",
    mimeType: "text/markdown",
    pages: 1,
    parserMethod: "local",
    fallbacks: [],
    trace: [{ backend: "local", outcome: "used" }],
  });
  const bare = await parser.parse("# Hi\n", "a.md", undefined, {
    accept: "text/markdown",
  });
  expect([bare.headers.get("content-type"), bare.text.trim()]).toEqual([
    "text/markdown; charset=utf-8",
    "# Hi",
  ]);
  expect(parser.cloud.requests).toEqual([]);
  expect(await parser.countFiles("parsing")).toBe(0);
});

test("an upload as a form is read, too", async () => {
  const form = new FormData();
  form.append(
    "file",
    new Blob(["<h1>Title</h1><p>Text</p>"], { type: "application/x-lies" }),
    "page.html",
  );
  const response = await parser.parlance.request(
    "/api/v1/parser/parse?parser_method=local",
    {
      method: "POST",
      token: parser.token(),
      headers: {},
    },
  );
  expect(response.status).toBe(400);
  const sent = await fetch(
    `${parser.parlance.url}/api/v1/parser/parse?parser_method=local`,
    {
      method: "POST",
      headers: { authorization: `Bearer ${parser.token()}` },
      body: form,
    },
  );
  const body = (await sent.json()) as ParserAnswer;
  expect([body.metadata.mimeType, body.metadata.fileName, body.markdown]).toEqual([
    "text/html",
    "page.html",
    expect.stringContaining("# Title"),
  ]);
});

test.each([
  ["no name", "text", {}, "", [400, "file_name_required"]],
  ["no bytes", "", named("a.md"), "", [400, "file_empty"]],
  ["too many bytes", "x".repeat(MAX_BYTES + 1), named("a.md"), "", [413, "file_too_large"]],
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
  const answer = await parser.send(`/api/v1/parser/parse${query}`, body, headers);
  expect([answer.status, answer.body.code]).toEqual([status, code]);
  expect(await parser.countFiles("parsing")).toBe(0);
});

test.each([
  ["%2e%2e%2f%2e%2e%2fetc%2fpasswd", "passwd"],
  ["..\\..\\evil.md", "evil.md"],
  ["a%00b.md", "ab.md"],
  ["a%0d%0aX-Injected:%20y.md", "aX-Injected: y.md"],
  [`${"n".repeat(4_000)}.md`, `${"n".repeat(197)}.md`],
  ["100%.md", "100%.md"],
])("the name %s leads nowhere", async (header, shown) => {
  const { status, body } = await parser.send("/api/v1/parser/parse", "text", {
    "x-original-filename": header,
  });
  expect([status, body.metadata.fileName]).toEqual([200, shown]);
});

test("the bytes determine the type: an image named as a PDF is read as an image", async () => {
  Object.assign(parser.cloud.script, {
    status: "failed",
    error: { code: "InternalServerError", message: "x" },
  });
  const { body } = await parser.parse(new Uint8Array(PNG), "contract.pdf");
  expect([body.metadata.mimeType, body.markdown, body.metadata.parserMethod]).toEqual([
    "image/png",
    "Read from a picture by stdin stdout -l deu",
    "local",
  ]);
});

test("the cloud reads first; when it fails our own reader does, and the trace says so", async () => {
  const first = await parser.parse(
    pdfWithImage("A page that was read at home, word for word."),
    "a.pdf",
  );
  expect([first.body.metadata.parserMethod, first.body.markdown.split("\f")[1]]).toEqual([
    "document_intelligence",
    "## Terms\n\nWithin 30 days.",
  ]);
  Object.assign(parser.cloud.script, {
    status: "failed",
    error: { code: "InternalServerError", message: "planted-upstream-words" },
  });
  const second = await parser.parse(
    pdfWithImage("A page that was read at home, word for word."),
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
  const chosen = await parser.parse(
    pdfWithImage("A page that was read at home, word for word."),
    "a.pdf",
    "?parser_method=pdf_fallback",
  );
  expect(chosen.body.metadata.parserMethod).toBe("pdf_fallback");
});

test("a model describes images in the Markdown", async () => {
  parser.provider.answer(() => ({ text: ["A single", " grey point."] }));
  const query =
    "?parser_method=pdf_fallback&caption_images=true&extract_images=true&extract_tables=true";
  const { body } = await parser.parse(
    pdfWithImage("A page that was read at home, word for word."),
    "a.pdf",
    query,
  );
  const images = body["images"] as { caption?: string; data: string }[];
  expect([body["tables"], images.length]).toEqual([[], 1]);
  expect(images[0]?.caption).toBe("A single grey point.");
  expect(body.markdown.split("\f")[1]).toContain("![A single grey point.](");
});

test("a file without any text fails with advice", async () => {
  const empty = pdfWithImage("").replace(
    "/Kids[3 0 R 6 0 R]/Count 2",
    "/Kids[3 0 R]/Count 1",
  );
  const { body } = await parser.parse(empty, "a.pdf", "?parser_method=pdf_fallback");
  expect([body.metadata.parserMethod, body.metadata.pages]).toEqual([
    "document_intelligence",
    2,
  ]);
  parser.cloud.script.result = { content: "", pages: [{ pageNumber: 1, spans: [] }] };
  const nothing = await parser.parse(empty, "a.pdf", "?parser_method=pdf_fallback");
  expect([nothing.status, nothing.body.code]).toEqual([422, "no_text_found"]);
});

test("a file is cut into chunks of the requested size, each with its page and headings", async () => {
  const text = Array.from(
    { length: 40 },
    (_, n) => `Sentence number ${n} of the terms says something.`,
  ).join(" ");
  const body = `# Contract\n\n${text}\n\n## Price\n\nTwelve euros.\n`;
  for (const path of ["/api/v1/services/process-document", "/services/process-document"]) {
    const query = "chunk_size=100&overlap=10&parser_method=local";
    const answer = await parser.send(`${path}?${query}`, body, named("Verträge.md"));
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
      pageNumber?: number;
      headings: string[];
    }[];
    expect(chunks.length).toBeGreaterThan(3);
    expect(answer.body["totalChunks"]).toBe(chunks.length);
    expect(chunks.every(({ tokenCount }) => tokenCount <= 100)).toBe(true);
    expect(chunks.map(({ index }) => index)).toEqual([...chunks.keys()]);
    expect([chunks.at(-1)?.pageNumber, chunks[0]?.headings]).toEqual([
      undefined,
      expect.arrayContaining(["Contract"]),
    ]);
  }
  const wrong = await parser.send(
    "/api/v1/services/process-document?chunk_size=10&overlap=10",
    body,
    named("a.md"),
  );
  expect([wrong.status, wrong.body.code]).toEqual([400, "validation_failed"]);
  expect(
    (
      await parser.send(
        "/api/v1/services/process-document?chunk_size=10",
        body,
        named("a.md"),
      )
    ).status,
  ).toBe(200);
});
