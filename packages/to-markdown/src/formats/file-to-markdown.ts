import { FileError } from "../file-error.ts";
import type { ParsedFile } from "../parsed-file.ts";
import { asciidocToMarkdown } from "./read-asciidoc.ts";
import { decodeHtml } from "./decode-html.ts";
import { decodeText } from "./decode-text.ts";
import { type FileContent, finishFile, type ReadOptions } from "./finish-file.ts";
import { damaged, encrypted, tooComplex, unsupported } from "./refuse-file.ts";
import { readDelimited } from "./read-delimited.ts";
import { readFeed } from "./read-feed.ts";
import { readHtml } from "./read-html.ts";
import { readPlain, readSource } from "./read-plain.ts";
import type { FileKind } from "./file-kind.ts";
import { kindByName, sniffFileType } from "./sniff-file-type.ts";

export interface FileToMarkdown {
  /** As it was claimed; what the bytes are decides. */
  mimeType?: string | undefined;
  fileName?: string | undefined;
  options?: Omit<ReadOptions, "signal">;
  signal?: AbortSignal | undefined;
}

/** Readers of formats whose content is blocks; loaded when first needed, as most files need one. */
const READERS: Partial<
  Record<FileKind, (bytes: Uint8Array, options: ReadOptions) => Promise<FileContent>>
> = {
  docx: async (...given) => (await import("./docx/read-docx.ts")).readDocx(...given),
  pptx: async (...given) => (await import("./pptx/read-pptx.ts")).readPptx(...given),
  xlsx: async (...given) => (await import("./xlsx/read-xlsx.ts")).readXlsx(...given),
  odt: async (...given) => (await import("./odf/read-odf.ts")).readOdf(...given),
  ods: async (...given) => (await import("./odf/read-odf.ts")).readOdf(...given),
  odp: async (...given) => (await import("./odf/read-odf.ts")).readOdf(...given),
  eml: async (...given) => (await import("./mail/read-eml.ts")).readEml(...given),
  rtf: async (...given) => (await import("./rtf/read-rtf.ts")).readRtf(...given),
  doc: async (...given) => (await import("./doc/read-doc.ts")).readDoc(...given),
  ppt: async (...given) => (await import("./ppt/read-ppt.ts")).readPpt(...given),
  msg: async (...given) => (await import("./mail/read-msg.ts")).readMsg(...given),
  xls: async (...given) => (await import("./xls/read-xls.ts")).readXls(...given),
  epub: async (...given) => (await import("./read-epub.ts")).readEpub(...given),
};

const TEXTS: ReadonlySet<FileKind> = new Set([
  "html",
  "xml",
  "json",
  "csv",
  "tsv",
  "markdown",
  "asciidoc",
  "text",
]);

/** Whether a file of this kind is read here; of several texts its name decides how. */
export function canReadKind(kind: FileKind): boolean {
  return kind in READERS || TEXTS.has(kind);
}

/**
 * Whether a file so named and so claimed would be read here; its bytes have the last word in
 * `fileToMarkdown`.
 */
export function canRead(mimeType: string, fileName: string): boolean {
  return canReadKind(kindByName(mimeType, fileName));
}

/**
 * Office files, books, pages, mail and texts as GitHub-flavoured markdown. Bounded in memory and
 * time whatever the bytes are; no I/O.
 * @throws BadRequest `file_damaged`, `file_encrypted`; TooLarge `too_complex`; UnsupportedType
 * `file_type_not_supported`.
 */
export async function fileToMarkdown(
  bytes: Uint8Array,
  { mimeType, fileName, options = {}, signal }: FileToMarkdown = {},
): Promise<ParsedFile> {
  signal?.throwIfAborted();
  const { kind } = sniffFileType(bytes, fileName, mimeType);
  if (kind === "encrypted") throw encrypted();
  const read = { ...options, signal };
  const reader = READERS[kind];
  if (reader) return readGuarded(async () => finishFile(await reader(bytes, read), read), signal);
  const text = kind === "html" ? decodeHtml(bytes) : TEXTS.has(kind) ? decodeText(bytes) : "";
  switch (kind) {
    case "html":
      return finishFile(readHtml(text, { xml: /^\s*<\?xml/.test(text) }), read);
    case "csv":
      return finishFile({ blocks: readDelimited(text) }, read);
    case "tsv":
      return finishFile({ blocks: readDelimited(text, "\t") }, read);
    case "xml":
      return readGuarded(
        async () => finishFile((await readFeed(text)) ?? { blocks: readSource(text, kind) }, read),
        signal,
      );
    case "json":
      return finishFile({ blocks: readSource(text, kind) }, read);
    case "asciidoc":
      return readPlain(asciidocToMarkdown(text));
    case "markdown":
    case "text":
      return readPlain(text);
    default:
      throw unsupported(`A file of this type (${fileName ?? mimeType ?? kind})`);
  }
}

/**
 * Whatever a malformed file makes go wrong in its reader is the file's fault, and is said to be.
 */
async function readGuarded(
  read: () => Promise<ParsedFile>,
  signal: AbortSignal | undefined,
): Promise<ParsedFile> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof FileError || signal?.aborted) throw error;
    throw error instanceof RangeError
      ? tooComplex("it has more parts than can be held")
      : damaged(error);
  }
}
