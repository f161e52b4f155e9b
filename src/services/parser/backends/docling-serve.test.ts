import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openOutgoing } from "../../../platform/outgoing/open-outgoing.ts";
import type { ParseOptions } from "../contract-jobs.ts";
import { type FakeDocling, startFakeDocling } from "../testing/fake-docling.ts";
import type { SourceFile } from "./backend.ts";
import { doclingServe } from "./docling-serve.ts";

let docling: FakeDocling;
let folder: string;
let file: SourceFile;
const outgoing = openOutgoing({ allow: ["127.0.0.1"], own: () => [] });
beforeAll(async () => {
  docling = await startFakeDocling();
  folder = await mkdtemp(join(tmpdir(), "parlance-docling-"));
  file = {
    path: join(folder, "f"),
    fileName: "Grüße.pdf",
    mimeType: "application/pdf",
    size: 8,
  };
  await writeFile(file.path, "%PDF-1.7");
});
afterAll(async () => {
  await docling[Symbol.asyncDispose]();
  await outgoing[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const backend = () =>
  doclingServe(outgoing.fetch, {
    url: docling.url,
    key: "a-docling-key",
    timeoutMs: 10_000,
  });
const parse = (options: ParseOptions = {}, of = file) =>
  backend().parse(of, options, new AbortController().signal);

test("queues the file at the server, and returns its pages separately", async () => {
  Object.assign(docling.script, {
    markdown: "# One\n\n<!-- image -->\n\n[[break]]\n\nTwo",
    pending: 2,
  });
  expect(await parse()).toEqual({
    markdown: "# One\fTwo",
    pages: 2,
    warnings: [],
    pageQuality: [
      { page: 1, characters: 4, images: 1 },
      { page: 2, characters: 3, images: 0 },
    ],
  });
  expect(docling.forms.at(-1)).toEqual({
    file: { name: "Grüße.pdf", type: "application/pdf", text: "%PDF-1.7" },
    key: "a-docling-key",
    fields: {
      to_formats: "md",
      do_ocr: "false",
      force_ocr: "false",
      image_export_mode: "placeholder",
      md_page_break_placeholder: expect.any(String),
      abort_on_error: "false",
      target_type: "inbody",
    },
  });
});

test.each([
  [{ ocrEnabled: true }, "application/pdf", ["true", "false"]],
  [{ ocrEnabled: true, ocrMode: "always" as const }, "application/pdf", ["true", "true"]],
  [{ ocrEnabled: true, ocrMode: "never" as const }, "application/pdf", ["false", "false"]],
  [{}, "image/png", ["true", "false"]],
])("%j of %s asks for OCR as %j", async (options, mimeType, [ocr, force]) => {
  await parse(options, { ...file, mimeType });
  expect(docling.forms.at(-1)?.fields).toMatchObject({ do_ocr: ocr, force_ocr: force });
});

test("an unreadable part is a warning and an unreadable file a failure, neither in the server's words", async () => {
  Object.assign(docling.script, { markdown: "half", status: "partial_success" });
  expect((await parse()).warnings).toEqual([expect.not.stringContaining("planted")]);
  Object.assign(docling.script, { status: "failure" });
  await expect(parse()).rejects.toMatchObject({ status: 422, code: "file_refused" });
  await expect(backend().check?.(new AbortController().signal)).resolves.toBeUndefined();
});
