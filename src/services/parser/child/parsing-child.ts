import { readFile } from "node:fs/promises";
import { sniffFileType } from "../formats/sniff-file-type.ts";
import type { ParsedFile } from "../parsed-file.ts";
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
  async "read-pdf"({ path, options: { extractTables = false, extractImages = false } }: ParseInput): Promise<ParsedFile> {
    const { pdfToMarkdown } = await import("../pdf/pdf-to-markdown.ts");
    return pdfToMarkdown(await readFile(path), { extractTables, extractImages });
  },
  async "render-page"({ path, page }: PageInput): Promise<Picture> {
    const { openPageRenderer } = await import("../pdf/render-page.ts");
    const renderer = await openPageRenderer(await readFile(path));
    try {
      return { bytes: renderer.render(page, OCR_DPI).png, mimeType: "image/png" };
    } finally {
      renderer.close();
    }
  },
  async read({
    path,
    fileName,
    mimeType,
    options: { extractTables = false, extractImages = false },
  }: ParseInput): Promise<ParsedFile> {
    const { fileToMarkdown } = await import("../formats/file-to-markdown.ts");
    return fileToMarkdown(await readFile(path), { mimeType, fileName, options: { extractTables, extractImages } });
  },
});
