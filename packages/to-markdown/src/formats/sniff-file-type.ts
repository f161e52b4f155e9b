import { listZipNames } from "./list-zip-names.ts";
import { looksLikeText, startOfText } from "./decode-text.ts";
import type { FileKind } from "./file-kind.ts";
import { kindNamed, sniffText } from "./sniff-text.ts";

export interface FileType {
  /** What the bytes are, whatever was said of them. */
  mimeType: string;
  kind: FileKind;
}

const OOXML = "application/vnd.openxmlformats-officedocument";
export const MIME_TYPES: Record<FileKind, string> = {
  pdf: "application/pdf",
  docx: `${OOXML}.wordprocessingml.document`,
  xlsx: `${OOXML}.spreadsheetml.sheet`,
  pptx: `${OOXML}.presentationml.presentation`,
  odt: "application/vnd.oasis.opendocument.text",
  ods: "application/vnd.oasis.opendocument.spreadsheet",
  odp: "application/vnd.oasis.opendocument.presentation",
  epub: "application/epub+zip",
  doc: "application/msword",
  xls: "application/vnd.ms-excel",
  ppt: "application/vnd.ms-powerpoint",
  msg: "application/vnd.ms-outlook",
  encrypted: "application/x-ole-storage",
  rtf: "application/rtf",
  html: "text/html",
  xml: "application/xml",
  json: "application/json",
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  eml: "message/rfc822",
  markdown: "text/markdown",
  asciidoc: "text/asciidoc",
  text: "text/plain",
  image: "image/png",
  audio: "audio/mpeg",
  video: "video/mp4",
  archive: "application/zip",
  unknown: "application/octet-stream",
};

/**
 * Magic bytes at a place, as latin-1. Source: the formats' own specifications, by way of file(1).
 */
const MAGIC: readonly (readonly [
  offset: number,
  magic: string,
  kind: FileKind,
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
 * What a file is, by its bytes; its name and the type that was claimed only decide between kinds of
 * text, which look alike. Reads at most the start of the file and the table of contents of an
 * archive.
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
  if (start.startsWith("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) return sniffCompound(bytes, fileName);
  if (/^[\s\xef\xbb\xbf]*\{\\rtf/.test(start)) return typeOf("rtf");
  const magic = MAGIC.find(([offset, text]) => start.startsWith(text, offset));
  if (magic)
    return soundOnly(magic[2], fileName, claimed)
      ? { kind: "audio", mimeType: "audio/mp4" }
      : { kind: magic[2], mimeType: magic[3] };
  // 40 bytes of header and a size that is said right: "BM" alone begins many words
  if (start.startsWith("BM") && bytes.byteLength >= 26 && start.slice(6, 10) === "\0\0\0\0")
    return { kind: "image", mimeType: "image/bmp" };
  if (!looksLikeText(bytes)) return typeOf("unknown");
  const kind = sniffText(startOfText(bytes), fileName, claimed);
  return {
    kind,
    mimeType: kind === "xml" && /<svg[\s>]/i.test(start) ? "image/svg+xml" : MIME_TYPES[kind],
  };
}

/** Sound alone in the container of films cannot be told by its first bytes. */
function soundOnly(kind: FileKind, fileName: string, claimed: string): boolean {
  return (
    kind === "video" && (claimed.startsWith("audio/") || /\.(?:m4a|m4b|weba)$/i.test(fileName))
  );
}

function typeOf(kind: FileKind): FileType {
  return { kind, mimeType: MIME_TYPES[kind] };
}

function sniffZip(bytes: Uint8Array, fileName: string): FileType {
  const { names, mimeType } = listZipNames(bytes);
  const declared = Object.entries(MIME_TYPES).find(
    ([kind, type]) => type === mimeType?.replace(/-template$/, "") && kind !== "archive",
  );
  // the entry's name comes from the table above, whose keys are kinds
  if (declared) return typeOf(declared[0] as FileKind);
  const holds = (pattern: RegExp) => names.some((name) => pattern.test(name));
  if (holds(/^\/?META-INF\/container\.xml$/i)) return typeOf("epub");
  if (holds(/^\/?word\//i)) return typeOf("docx");
  if (holds(/^\/?xl\//i)) return typeOf("xlsx");
  if (holds(/^\/?ppt\//i)) return typeOf("pptx");
  // OpenDocument whose type was packed away
  if (holds(/^content\.xml$/) && holds(/^META-INF\/manifest\.xml$/))
    return typeOf(/\.ods$/i.test(fileName) ? "ods" : /\.odp$/i.test(fileName) ? "odp" : "odt");
  return typeOf("archive");
}

/**
 * Microsoft's compound files say what they are by the names of their streams. Source: [MS-CFB]
 * 2.6.1, names are UTF-16.
 */
function sniffCompound(bytes: Uint8Array, fileName: string): FileType {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const holds = (name: string) => buffer.includes(Buffer.from(name, "utf16le"));
  if (holds("EncryptedPackage")) return typeOf("encrypted");
  if (holds("WordDocument\0")) return typeOf("doc");
  if (holds("PowerPoint Document\0")) return typeOf("ppt");
  if (holds("__properties_version1.0") || holds("__substg1.0_")) return typeOf("msg");
  if (holds("Workbook\0") || holds("Book\0")) return typeOf("xls");
  // a cut file has lost its directory
  const named = /\.(doc|xls|ppt|msg)$/i.exec(fileName)?.[1]?.toLowerCase();
  return typeOf(
    named === "doc" || named === "xls" || named === "ppt" || named === "msg" ? named : "unknown",
  );
}

const SIBLINGS = new Map<string, FileKind>([
  ["docm", "docx"],
  ["dotx", "docx"],
  ["xlsm", "xlsx"],
  ["xltx", "xlsx"],
  ["pptm", "pptx"],
  ["ppsx", "pptx"],
  ["potx", "pptx"],
  ["ott", "odt"],
  ["ots", "ods"],
  ["otp", "odp"],
  ["dot", "doc"],
  ["txt", "text"],
  ["log", "text"],
]);

/** What a file would be, by its name and what was claimed alone. */
export function kindByName(claimed: string, fileName: string): FileKind {
  const extension = /\.(\w+)$/.exec(fileName.toLowerCase())?.[1] ?? "";
  const named = kindNamed(fileName, claimed) ?? SIBLINGS.get(extension);
  if (named) return named;
  // the keys of the table are kinds
  const kinds = Object.keys(MIME_TYPES) as FileKind[];
  const type = claimed.toLowerCase().split(";", 1)[0]?.trim();
  return (
    kinds.find((kind) => kind === extension) ??
    kinds.find((kind) => MIME_TYPES[kind] === type) ??
    (type === "text/rtf" ? "rtf" : type?.startsWith("text/") ? "text" : "unknown")
  );
}
