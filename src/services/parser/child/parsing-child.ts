import { unlockFile } from "@parlance/to-markdown/formats/encrypted/unlock-file.ts";
import { sniffFileType } from "@parlance/to-markdown/formats/sniff-file-type.ts";
import type { ParseOptions } from "../contract-jobs.ts";
import type { ParsedFile } from "@parlance/to-markdown/parsed-file.ts";
import { withAttachments } from "../read-attachments.ts";
import { encodeTables, type ReadFile } from "../read-file.ts";
import { serveTasks } from "./serve-tasks.ts";
import type { Picture } from "../ocr/ocr-engine.ts";
import type { FileInput, PageInput, ParseInput } from "./tasks.ts";

/** High enough for small print and for OCR. */
const OCR_DPI = 300;

// the reader of a format is loaded on first use
serveTasks({
  /** Detects the type of a file by its bytes. */
  async identify({ fileName, password }: FileInput, bytes: Buffer): Promise<string> {
    const opened = await unlockFile(bytes, password);
    return (await sniffFileType(opened, fileName)).mimeType;
  },
  async "read-pdf"({ options, password }: ParseInput, bytes: Buffer): Promise<ReadFile> {
    return encodeTables(await readPdf(bytes, options, password));
  },
  async "count-tiff-pages"(_: unknown, bytes: Buffer): Promise<number> {
    const { countTiffPages } = await import("@parlance/to-markdown/tiff-pages.ts");
    return countTiffPages(bytes);
  },

  async "render-page"(
    { mimeType, page, password }: PageInput,
    bytes: Buffer,
  ): Promise<Picture> {
    if (mimeType === "image/tiff") {
      const { renderTiffPage } = await import("@parlance/to-markdown/tiff-pages.ts");
      return { bytes: renderTiffPage(bytes, page), mimeType: "image/png" };
    }
    const { openPageRenderer } = await import("@parlance/to-markdown/pdf/render-page.ts");
    const renderer = await openPageRenderer(bytes, password);
    try {
      return { bytes: renderer.render(page, OCR_DPI).png, mimeType: "image/png" };
    } finally {
      renderer.close();
    }
  },
  async read(
    { fileName, mimeType, options, password }: ParseInput,
    bytes: Buffer,
  ): Promise<ReadFile> {
    const file = await readOther(bytes, { mimeType, fileName, options, password });
    const whole = await withAttachments(file, async (attached) =>
      (await sniffFileType(attached.bytes, attached.name)).kind === "pdf"
        ? readPdf(attached.bytes, options)
        : readOther(attached.bytes, { fileName: attached.name, options }),
    );
    return encodeTables(whole);
  },
});

async function readPdf(
  bytes: Uint8Array,
  { extractTables = false, extractImages = false }: ParseOptions,
  password?: string,
): Promise<ParsedFile> {
  const { pdfToMarkdown } = await import("@parlance/to-markdown/pdf/pdf-to-markdown.ts");
  return pdfToMarkdown(bytes, {
    extractTables,
    extractImages,
    ...(password && { password }),
  });
}

async function readOther(
  bytes: Uint8Array,
  {
    options: { extractTables = false, extractImages = false },
    ...of
  }: Pick<ParseInput, "fileName" | "options" | "password"> & { mimeType?: string },
): Promise<ParsedFile> {
  const { fileToMarkdown } =
    await import("@parlance/to-markdown/formats/file-to-markdown.ts");
  return fileToMarkdown(bytes, { ...of, options: { extractTables, extractImages } });
}
