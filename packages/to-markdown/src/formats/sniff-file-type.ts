import { listZipNames } from "./list-zip-names.ts";
import { looksLikeText, startOfText } from "./decode-text.ts";
import { formatOfKind, formatOfMimeType, formatOfName } from "./find-format.ts";
import { FORMATS } from "./formats.ts";
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
  image: "image/png",
  audio: "audio/mpeg",
  video: "video/mp4",
  archive: "application/zip",
  unknown: "application/octet-stream",
} as const;
type OtherKind = keyof typeof OTHER_MIME_TYPES;

/** Magic bytes at an offset, as Latin-1. Source: the formats' specifications, and file(1). */
const MAGIC: readonly (readonly [
  offset: number,
  magic: string,
  kind: OtherKind,
  mimeType: string,
])[] = [
  [0, "\x89PNG\r\n\x1a\n", "image", "image/png"],
  [0, "\xff\xd8\xff", "image", "image/jpeg"],
  [0, "GIF87a", "image", "image/gif"],
  [0, "GIF89a", "image", "image/gif"],
  [8, "WEBP", "image", "image/webp"],
  [0, "II*\0", "image", "image/tiff"],
  [0, "MM\0*", "image", "image/tiff"],
  [0, "\0\0\0\x0cjP  ", "image", "image/jp2"],
  [4, "ftypavif", "image", "image/avif"],
  [4, "ftypheic", "image", "image/heic"],
  [4, "ftypheix", "image", "image/heic"],
  [4, "ftypmif1", "image", "image/heif"],
  [8, "WAVE", "audio", "audio/wav"],
  [0, "ID3", "audio", "audio/mpeg"],
  [0, "\xff\xfb", "audio", "audio/mpeg"],
  [0, "fLaC", "audio", "audio/flac"],
  [0, "OggS", "audio", "audio/ogg"],
  [4, "ftypM4A", "audio", "audio/mp4"],
  [4, "ftyp", "video", "video/mp4"],
  [0, "\x1aE\xdf\xa3", "video", "video/webm"],
  [0, "\x1f\x8b", "archive", "application/gzip"],
  [0, "7z\xbc\xaf\x27\x1c", "archive", "application/x-7z-compressed"],
  [0, "Rar!\x1a\x07", "archive", "application/vnd.rar"],
];

/**
 * Detects the type of a file by its bytes. The name and the declared type decide only between kinds
 * of text, which are alike. Reads at most the start of the file and the directory of an archive.
 */
export function sniffFileType(bytes: Uint8Array, fileName = "", claimed = ""): FileType {
  const start = Buffer.from(
    bytes.buffer,
    bytes.byteOffset,
    Math.min(bytes.byteLength, 4_096),
  ).toString("latin1");
  if (start.slice(0, 1_024).includes("%PDF-")) return typeOf("pdf");
  if (start.startsWith("PK\x03\x04") || start.startsWith("PK\x05\x06"))
    return sniffZip(bytes, fileName);
  if (start.startsWith("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"))
    return sniffCompound(bytes, fileName);
  if (/^[\s\xef\xbb\xbf]*\{\\rtf/.test(start)) return typeOf("rtf");
  const magic = MAGIC.find(([offset, text]) => start.startsWith(text, offset));
  if (magic)
    return holdsOnlyAudio(magic[2], fileName, claimed)
      ? { kind: "audio", mimeType: "audio/mp4" }
      : { kind: magic[2], mimeType: magic[3] };
  // a header of 40 bytes and a valid size, because many words begin with "BM"
  if (start.startsWith("BM") && bytes.byteLength >= 26 && start.slice(6, 10) === "\0\0\0\0")
    return { kind: "image", mimeType: "image/bmp" };
  if (!looksLikeText(bytes)) return typeOf("unknown");
  const kind = sniffText(startOfText(bytes), fileName, claimed);
  return {
    kind,
    mimeType:
      kind === "xml" && /<svg[\s>]/i.test(start) ? "image/svg+xml" : typeOf(kind).mimeType,
  };
}

/** Whether a video container has only sound, which its first bytes do not show. */
function holdsOnlyAudio(kind: string, fileName: string, claimed: string): boolean {
  return (
    kind === "video" &&
    (claimed.startsWith("audio/") || /\.(?:m4a|m4b|weba)$/i.test(fileName))
  );
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
function sniffCompound(bytes: Uint8Array, fileName: string): FileType {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const holds = (name: string) => buffer.includes(Buffer.from(name, "utf16le"));
  if (holds("EncryptedPackage")) return typeOf("encrypted");
  const format = FORMATS.find(({ compoundStreams }) => compoundStreams?.some(holds));
  if (format) return typeOf(format.kind);
  // a truncated file has lost its directory
  const named = formatOfName(fileName);
  return typeOf(named?.compoundStreams ? named.kind : "unknown");
}

/** The format of a file by its name and declared type, without its bytes. */
export function kindByName(claimed: string, fileName: string): string {
  const format = formatOfName(fileName) ?? formatOfMimeType(claimed);
  if (format) return format.kind;
  return claimed.toLowerCase().startsWith("text/") ? "text" : "unknown";
}
