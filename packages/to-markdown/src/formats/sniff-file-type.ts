import { fileTypeFromBuffer } from "file-type";
import { isPlainText, looksLikeText, SAMPLE_BYTES, startOfText } from "./decode-text.ts";
import { formatOfKind, formatOfMimeType, formatOfName } from "./find-format.ts";
import { FORMATS } from "./formats.ts";

export interface FileType {
  /** The media type by the bytes, whatever was declared. */
  mimeType: string;
  /** The kind of a readable format, or one of `pdf`, `encrypted`, `image`, `audio`, … */
  kind: string;
}

/** Kinds that are recognised, but not listed in `formats.ts`. */
const OTHER_MIME_TYPES = {
  pdf: "application/pdf",
  /** A password-protected Office file. */
  encrypted: "application/x-ole-storage",
  archive: "application/zip",
  unknown: "application/octet-stream",
} as const;
type OtherKind = keyof typeof OTHER_MIME_TYPES;

/** The mark of TIFF and BigTIFF. Scanners write the directory, which `file-type` needs, last. */
const TIFF = /^(?:II[*+]\0|MM\0[*+])/;

const ARCHIVE = /^application\/(?:gzip|zstd|x-(?:7z|rar|bzip2|xz|tar|lz|compress).*)$/;

/**
 * Detects the type of a file by its bytes, or by a sample of at least its first `SAMPLE_BYTES`.
 * The name and the declared type decide only where bytes look alike: between kinds of text, between
 * sound and film in one container, and where the sample lacks the parts of an archive. Reads at
 * most the start of the file and the directory of an archive.
 */
export async function sniffFileType(
  bytes: Uint8Array,
  fileName = "",
  claimed = "",
): Promise<FileType> {
  const start = Buffer.from(bytes.subarray(0, 4_096)).toString("latin1");
  if (start.slice(0, 1_024).includes("%PDF-")) return typeOf("pdf");
  if (/^PK(?:\x03\x04|\x05\x06)/.test(start)) return sniffZip(bytes, fileName);
  if (start.startsWith("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"))
    return sniffCompound(bytes, fileName, claimed);
  if (/^[\s\xef\xbb\xbf]*\{\\rtf/.test(start)) return typeOf("rtf");
  const magic =
    (await fileTypeFromBuffer(bytes.subarray(0, SAMPLE_BYTES)))?.mime ??
    (TIFF.test(start) ? "image/tiff" : undefined);
  // words that begin like a binary format are words
  const known = isPlainText(bytes) ? undefined : fromMagic(magic, fileName, claimed);
  if (known) return known;
  if (!looksLikeText(bytes)) return typeOf("unknown");
  const kind = sniffText(startOfText(bytes), fileName, claimed);
  if (kind === "xml" && /<svg[\s>]/i.test(start))
    return { kind, mimeType: "image/svg+xml" };
  // calendars and cards are read as text and have types of their own
  if (kind === "text" && magic && isTextType(magic)) return { kind, mimeType: magic };
  return typeOf(kind);
}

/** The type that `file-type` knows by the first bytes, unless it is one of text. */
function fromMagic(
  magic: string | undefined,
  fileName: string,
  claimed: string,
): FileType | undefined {
  const [mimeType = ""] = magic?.split(";") ?? [];
  if (mimeType === "" || mimeType === "application/xml" || isTextType(mimeType))
    return undefined;
  const format = formatOfMimeType(mimeType);
  if (format) return typeOf(format.kind);
  if (ARCHIVE.test(mimeType)) return { kind: "archive", mimeType };
  // an animation that is a picture, too
  if (mimeType === "image/apng") return { kind: "image", mimeType: "image/png" };
  const [kind = ""] = mimeType.split("/");
  if (kind === "video" || mimeType === "application/ogg")
    return inContainer(mimeType, fileName, claimed);
  return { kind: ["image", "audio"].includes(kind) ? kind : "unknown", mimeType };
}

const isTextType = (mimeType: string) => mimeType.startsWith("text/");

/** A container of film may have only sound, which its first bytes do not show. */
function inContainer(mimeType: string, fileName: string, claimed: string): FileType {
  const [, container = ""] = mimeType.split("/");
  const [type = ""] = claimed.toLowerCase().split(";");
  const isSound =
    type.startsWith("audio/") || /\.(?:m4a|m4b|weba|oga|opus)$/i.test(fileName);
  if (isSound) return { kind: "audio", mimeType: `audio/${container}` };
  return { kind: "video", mimeType: `video/${container}` };
}

function typeOf(kind: string): FileType {
  const other = OTHER_MIME_TYPES[kind as OtherKind] as string | undefined; // absent for formats
  return {
    kind,
    mimeType: formatOfKind(kind)?.mimeTypes[0] ?? other ?? OTHER_MIME_TYPES.unknown,
  };
}

function sniffZip(bytes: Uint8Array, fileName: string): FileType {
  const { names, mimeType = "" } = listZipNames(bytes);
  const declared = formatOfMimeType(mimeType.replace(/-template$/, ""));
  if (declared) return typeOf(declared.kind);
  const holds = (pattern: RegExp) => names.some((name) => pattern.test(name));
  const format = ZIP_FORMATS.find(({ zipEntry }) => zipEntry && holds(zipEntry));
  if (format) return typeOf(format.kind);
  // OpenDocument whose type was compressed
  if (holds(/^content\.xml$/) && holds(/^META-INF\/manifest\.xml$/))
    return typeOf(
      /\.ods$/i.test(fileName) ? "ods" : /\.odp$/i.test(fileName) ? "odp" : "odt",
    );
  return typeOf("archive");
}

/** Books may contain folders of any name, so they are tested first. */
const ZIP_FORMATS = FORMATS.filter(({ zipEntry }) => zipEntry).sort(
  (a, b) => Number(b.kind === "epub") - Number(a.kind === "epub"),
);

/**
 * Detects Microsoft's compound files by the names of their streams. Source: [MS-CFB] 2.6.1, names
 * are UTF-16.
 */
function sniffCompound(bytes: Uint8Array, fileName: string, claimed: string): FileType {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const holds = (name: string) => buffer.includes(Buffer.from(name, "utf16le"));
  if (holds("EncryptedPackage")) return typeOf("encrypted");
  const format = FORMATS.find(({ compoundStreams }) => compoundStreams?.some(holds));
  if (format) return typeOf(format.kind);
  // a truncated file, or a sample, lacks its directory
  const named = [formatOfName(fileName), formatOfMimeType(claimed)];
  const old = named.find((one) => one?.compoundStreams);
  if (old) return typeOf(old.kind);
  return typeOf(named.some((one) => one?.zipEntry) ? "encrypted" : "unknown");
}

/** The format of a file by its name and declared type, without its bytes. */
export function kindByName(claimed: string, fileName: string): string {
  const format = formatOfName(fileName) ?? formatOfMimeType(claimed);
  if (format) return format.kind;
  return claimed.toLowerCase().startsWith("text/") ? "text" : "unknown";
}

const HEADER =
  /^(?:received|from|to|subject|date|return-path|delivered-to|mime-version|message-id|content-type|x-[\w-]+|dkim-signature|reply-to|cc|authentication-results|arc-[\w-]+)\s*:/i;
const HTML_START =
  /^<(?:!doctype\s+html|html|head|body|meta|title|link|script|style|div|p|h[1-6]|table|ul|ol|article|section|main|header|nav|span|a|b|br|img|form|center|font)[\s>/]/i;

/** The kind of text that a declared type or a name implies. */
function kindNamed(fileName: string, claimed: string): string | undefined {
  const formats = [formatOfMimeType(claimed), formatOfName(fileName)];
  return formats.find((format) => format?.isText && format.kind !== "text")?.kind;
}

/**
 * The kind of a text: by its start where that is clear, otherwise by its declared type and name.
 */
function sniffText(start: string, fileName: string, claimed: string): string {
  const text = withoutComments(start.slice(0, 32_768));
  const said = kindNamed(fileName, claimed);
  const plain = FORMATS.find(({ textStart }) => textStart?.test(text));
  if (plain) return plain.kind;
  if (text.startsWith("<?xml"))
    return /<(?:!doctype\s+html|html)[\s>]/i.test(text) ? "html" : "xml";
  if (/^<(?:!doctype\s+html|html)[\s>]/i.test(text))
    return said === "markdown" ? "markdown" : "html";
  switch (said) {
    case "html":
    case "xml":
      // a text without any tag is not HTML, whatever is declared
      return /<[a-z!/?]/i.test(text) || text === "" ? said : sniffUnnamed(text);
    case "json":
      return /^[[{"\d\-tfn]/.test(text) ? said : sniffUnnamed(text);
    case "eml":
      return headers(text) >= 1 ? said : sniffUnnamed(text);
    case undefined:
      return text.startsWith("<") && HTML_START.test(text) ? "html" : sniffUnnamed(text);
    default:
      return said;
  }
}

/** Without a regular expression, which could backtrack over consecutive comments. */
function withoutComments(start: string): string {
  let text = start.trimStart();
  while (text.startsWith("<!--")) {
    const end = text.indexOf("-->");
    if (end < 0) break;
    text = text.slice(end + 3).trimStart();
  }
  return text.slice(0, 8_192);
}

function sniffUnnamed(text: string): string {
  if (headers(text) >= 3) return "eml";
  if (HTML_START.test(text) && /<\/\w+>/.test(text)) return "html";
  return "text";
}

/** Counts the mail headers among the first lines. */
function headers(text: string): number {
  let count = 0;
  for (const line of text.split(/\r?\n/, 60)) {
    if (HEADER.test(line)) count += 1;
    else if (!/^\s/.test(line) && !/^[\w-]+:/.test(line)) break;
    else if (line === "") break;
  }
  return count;
}

const MAX_NAMES = 5_000;

interface ZipNames {
  names: string[];
  /**
   * The content of an uncompressed first part `mimetype`, with which OpenDocument and EPUB begin.
   */
  mimeType?: string;
}

/**
 * Lists the names of a zip archive's parts from its central directory, or from its first parts
 * where the end is missing. Unpacks nothing. Source: APPNOTE.TXT 4.3.7, 4.3.12, 4.3.16.
 */
function listZipNames(bytes: Uint8Array): ZipNames {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const mimeType = declaredType(buffer);
  const end = buffer.lastIndexOf("PK\x05\x06", undefined, "latin1");
  const names =
    end >= 0 && end + 22 <= buffer.length
      ? fromTable(buffer, buffer.readUInt32LE(end + 16))
      : [];
  return {
    names: names.length > 0 ? names : fromParts(buffer),
    ...(mimeType === undefined ? {} : { mimeType }),
  };
}

function declaredType(buffer: Buffer): string | undefined {
  if (buffer.length < 38 || buffer.toString("latin1", 30, 38) !== "mimetype")
    return undefined;
  const start = 30 + buffer.readUInt16LE(26) + buffer.readUInt16LE(28);
  const packed = buffer.readUInt16LE(8) !== 0;
  if (packed) return undefined;
  const size = buffer.readUInt32LE(18) || 80;
  return buffer
    .toString("latin1", start, start + Math.min(size, 80))
    .split(/[^\w.+/-]/, 1)[0];
}

function fromTable(buffer: Buffer, offset: number): string[] {
  const names: string[] = [];
  let at = offset;
  while (
    names.length < MAX_NAMES &&
    at + 46 <= buffer.length &&
    buffer.readUInt32LE(at) === 0x02014b50
  ) {
    const length = buffer.readUInt16LE(at + 28);
    names.push(nameAt(buffer, at + 46, length));
    at += 46 + length + buffer.readUInt16LE(at + 30) + buffer.readUInt16LE(at + 32);
  }
  return names;
}

function fromParts(buffer: Buffer): string[] {
  const names: string[] = [];
  for (let at = 0; names.length < MAX_NAMES; at += 30) {
    at = buffer.indexOf("PK\x03\x04", at, "latin1");
    if (at < 0 || at + 30 > buffer.length) break;
    names.push(nameAt(buffer, at + 30, buffer.readUInt16LE(at + 26)));
  }
  return names;
}

function nameAt(buffer: Buffer, start: number, length: number): string {
  return buffer
    .toString("utf8", start, start + Math.min(length, 1_000))
    .replaceAll("\\", "/");
}
