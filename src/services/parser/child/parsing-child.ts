import { readFile } from "node:fs/promises";
import { sniffFileType } from "@parlance/to-markdown/formats/sniff-file-type.ts";
import type { ParseOptions } from "../contract-jobs.ts";
import type { ParsedFile } from "@parlance/to-markdown/parsed-file.ts";
import { withAttachments } from "../read-attachments.ts";
import { serveTasks } from "./serve-tasks.ts";
import type { Picture } from "../ocr/ocr-engine.ts";
import type { FileInput, PageInput, ParseInput } from "./tasks.ts";

/** Enough for small print, and for what recognises it. */
const OCR_DPI = 300;

// what reads a kind of file is loaded with the first of them
serveTasks({
  /** What a file is, by its bytes. */
  async identify({ path, fileName }: FileInput): Promise<string> {
    return sniffFileType(await readFile(path), fileName).mimeType;
  },
  async "read-pdf"({ path, options }: ParseInput): Promise<ParsedFile> {
    return readPdf(await readFile(path), options);
  },
  async "render-page"({ path, page }: PageInput): Promise<Picture> {
    const { openPageRenderer } = await import("@parlance/to-markdown/pdf/render-page.ts");
    const renderer = await openPageRenderer(await readFile(path));
    try {
      return { bytes: renderer.render(page, OCR_DPI).png, mimeType: "image/png" };
    } finally {
      renderer.close();
    }
  },
  async read({ path, fileName, mimeType, options }: ParseInput): Promise<ParsedFile> {
    const file = await readOther(await readFile(path), { mimeType, fileName, options });
    return withAttachments(file, ({ name, bytes }) =>
      sniffFileType(bytes, name).kind === "pdf"
        ? readPdf(bytes, options)
        : readOther(bytes, { fileName: name, options }),
    );
  },
});

async function readPdf(
  bytes: Uint8Array,
  { extractTables = false, extractImages = false }: ParseOptions,
): Promise<ParsedFile> {
  const { pdfToMarkdown } = await import("@parlance/to-markdown/pdf/pdf-to-markdown.ts");
  return pdfToMarkdown(bytes, { extractTables, extractImages });
}

async function readOther(
  bytes: Uint8Array,
  {
    options: { extractTables = false, extractImages = false },
    ...of
  }: Pick<ParseInput, "fileName" | "options"> & { mimeType?: string },
): Promise<ParsedFile> {
  const { fileToMarkdown } = await import("@parlance/to-markdown/formats/file-to-markdown.ts");
  return fileToMarkdown(bytes, { ...of, options: { extractTables, extractImages } });
}
