import { unlockFile } from "@parlance/to-markdown/formats/encrypted/unlock-file.ts";
import { sniffFileType } from "@parlance/to-markdown/formats/sniff-file-type.ts";
import type { ParsedFile } from "@parlance/to-markdown/parsed-file.ts";
import type { ParseOptions } from "../contract-jobs.ts";
import type { Picture } from "../ocr/ocr-engine.ts";
import { withAttachments } from "../read-attachments.ts";
import { encodeTables, type ReadFile } from "../read-file.ts";
import type { PageRenderer } from "@parlance/to-markdown/pdf/render-page.ts";
import type { OriginalPage } from "../original/contract.ts";
import { toApiError } from "./to-api-error.ts";

export interface FileInput {
  fileName: string;
  /** Opens a file that is protected by it. */
  password?: string | undefined;
}

export interface ParseInput extends FileInput {
  mimeType: string;
  options: ParseOptions;
}

export interface PageInput {
  mimeType: string;
  /** Counted from 1. */
  page: number;
  password?: string | undefined;
}

export interface ViewInput {
  /** Counted from 1. */
  page: number;
}

// the tasks of `file-tasks.ts`, in a worker process; a format's reader is loaded on first use

/** High enough for small print and for OCR. */
const OCR_DPI = 300;
/** Enough for a page that is as wide as a screen, and small enough to be sent to it. */
const VIEW_DPI = 150;
const MAX_VIEW_PIXELS = 3_000_000;

/** A file whose reader fails is refused with what its sender can do. */
function task<Input, Output>(read: (input: Input, bytes: Buffer) => Promise<Output>) {
  return (input: Input, bytes: Buffer): Promise<Output> =>
    read(input, bytes).catch((error: unknown) => {
      throw toApiError(error);
    });
}

export const identify = task(async ({ fileName, password }: FileInput, bytes) => {
  const opened = await unlockFile(bytes, password);
  return (await sniffFileType(opened, fileName)).mimeType;
});

export const readPdf = task(
  async ({ options, password }: ParseInput, bytes): Promise<ReadFile> => {
    const file = await openPdf(bytes, options, password);
    return encodeTables(await withAttached(file, options));
  },
);

export const readOther = task(
  async (
    { fileName, mimeType, options, password }: ParseInput,
    bytes,
  ): Promise<ReadFile> => {
    const file = await openOther(bytes, { mimeType, fileName, options, password });
    return encodeTables(await withAttached(file, options));
  },
);

export const countTiffPages = task(async (_: object, bytes) => {
  const { countTiffPages: count } = await import("@parlance/to-markdown/tiff-pages.ts");
  return count(bytes);
});

export const renderPage = task(
  async ({ mimeType, page, password }: PageInput, bytes): Promise<Picture> => {
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
);

/** Where the words of a page of a PDF stand; undefined if there is no such page. */
export const findWords = task(({ page }: ViewInput, bytes) =>
  onPdf(bytes, page, (renderer): OriginalPage => ({
    pages: renderer.pages,
    ...renderer.words(page),
  })),
);

/** A page of a PDF as PNG; undefined if there is no such page. */
export const drawPage = task(({ page }: ViewInput, bytes) =>
  onPdf(bytes, page, (renderer) => renderer.render(page, VIEW_DPI, MAX_VIEW_PIXELS).png),
);

async function onPdf<Output>(
  bytes: Buffer,
  page: number,
  read: (renderer: PageRenderer) => Output,
): Promise<Output | undefined> {
  const { openPageRenderer } = await import("@parlance/to-markdown/pdf/render-page.ts");
  const renderer = await openPageRenderer(bytes);
  try {
    return page > renderer.pages ? undefined : read(renderer);
  } finally {
    renderer.close();
  }
}

const withAttached = (file: ParsedFile, options: ParseOptions): Promise<ParsedFile> =>
  withAttachments(file, async (attached) =>
    (await sniffFileType(attached.bytes, attached.name)).kind === "pdf"
      ? openPdf(attached.bytes, options)
      : openOther(attached.bytes, { fileName: attached.name, options }),
  );

async function openPdf(
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

async function openOther(
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
