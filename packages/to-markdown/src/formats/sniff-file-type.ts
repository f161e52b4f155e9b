import { fileTypeFromBuffer } from "file-type";
import { isPlainText, looksLikeText, SAMPLE_BYTES, startOfText } from "./decode-text.ts";
import { formatOfKind, formatOfMimeType, formatOfName } from "./find-format.ts";
import { FORMATS } from "./formats.ts";
import { listZipNames } from "./list-zip-names.ts";
import { sniffText } from "./sniff-text.ts";

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
  const magic = (await fileTypeFromBuffer(bytes.subarray(0, SAMPLE_BYTES)))?.mime;
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
