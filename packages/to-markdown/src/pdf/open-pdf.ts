import type { Pdfium } from "./pdfium.ts";
import { inflateSync } from "node:zlib";
import { FileError } from "../file-error.ts";

/** An open document; `close` frees its memory. */
export interface OpenPdf {
  handle: number;
  pages: number;
  /** Whether it has layers that may be switched off. */
  layered: boolean;
  /** Whether its end was missing: pages may be missing too. */
  repaired: boolean;
  title?: string;
  author?: string;
  language?: string;
  /** The handle of its form fields, opened on first use. */
  form(): number;
  close(): void;
}

/** The header may be this many bytes into the file: readers accept foreign bytes before it. */
const HEADER_WITHIN = 1024;

const LAYERS = "/OCProperties";

/** A code of `FPDF_GetLastError`. */
const FORMAT = 3;
const PASSWORD = 4;
const SECURITY = 5;

/**
 * Opens a PDF held in memory.
 * @throws UnreadablePdf with a code that names the reason
 */
export function openPdf(pdfium: Pdfium, bytes: Uint8Array, password = ""): OpenPdf {
  if (!new TextDecoder("latin1").decode(bytes.subarray(0, HEADER_WITHIN)).includes("%PDF-"))
    throw new UnreadablePdf(
      "invalid_pdf",
      "The file is not a PDF: it does not start with a PDF header.",
    );
  const { api } = pdfium;
  let opened = load(pdfium, bytes, password);
  let repaired = false;
  if (isCut(opened)) {
    const whole = repairPdf(bytes);
    const again = whole && load(pdfium, whole, password);
    repaired = again !== undefined && again.pages > 0;
    if (again && repaired) {
      unload(pdfium, opened);
      opened = again;
    } else if (again) unload(pdfium, again);
  }
  const { handle, pages, reason } = opened;
  if (handle === 0) {
    unload(pdfium, opened);
    throw whyNot(reason, password !== "");
  }
  let fields: { info: number; handle: number } | undefined;
  const form = () => {
    if (!fields) {
      const info = api.PDFiumExt_OpenFormFillInfo();
      fields = { info, handle: api.PDFiumExt_InitFormFillEnvironment(handle, info) };
    }
    return fields.handle;
  };
  const close = () => {
    if (fields) {
      api.PDFiumExt_ExitFormFillEnvironment(fields.handle);
      api.PDFiumExt_CloseFormFillInfo(fields.info);
    }
    unload(pdfium, opened);
  };
  if (pages <= 0) {
    close();
    throw new UnreadablePdf("no_pages", "The file has no pages.");
  }
  const said = (name: string) =>
    pdfium
      .text("utf-16le", (buffer, size) => api.FPDF_GetMetaText(handle, name, buffer, size))
      .trim() || undefined;
  const language = pdfium.text("utf-16le", (buffer, size) =>
    api.FPDFCatalog_GetLanguage(handle, buffer, size),
  );
  return {
    handle,
    pages,
    repaired,
    layered: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(LAYERS),
    title: said("Title"),
    author: said("Author"),
    language: /^[a-z]{2}(?=$|[-_])/i.exec(language.trim())?.[0].toLowerCase(),
    form,
    close,
  };
}

interface Loaded {
  /** The address of its bytes. */
  address: number;
  /** 0 if it cannot be opened for `reason`. */
  handle: number;
  pages: number;
  reason: number;
}

function load({ api, keep }: Pdfium, bytes: Uint8Array, password: string): Loaded {
  const address = keep(bytes);
  if (address === 0)
    throw new UnreadablePdf("too_complex", "The file is too large to be read in memory.");
  const handle = api.FPDF_LoadMemDocument(address, bytes.length, password);
  const reason = handle === 0 ? api.FPDF_GetLastError() : 0;
  const pages = handle === 0 ? 0 : api.FPDF_GetPageCount(handle);
  return { address, handle, pages, reason };
}

function unload({ api, free }: Pdfium, { handle, address }: Loaded): void {
  if (handle !== 0) api.FPDF_CloseDocument(handle);
  free(address);
}

const isCut = ({ handle, pages, reason }: Loaded): boolean =>
  handle === 0 ? reason === FORMAT : pages <= 0;

function whyNot(reason: number, tried: boolean): UnreadablePdf {
  if (reason === PASSWORD && tried)
    return new UnreadablePdf(
      "wrong_password",
      "The file is protected, and the password given does not open it.",
    );
  if (reason === PASSWORD)
    return new UnreadablePdf(
      "password_required",
      "The file is protected: give its password, or a copy without one.",
    );
  if (reason === SECURITY)
    return new UnreadablePdf(
      "unsupported_encryption",
      "The file is encrypted in a way that is not supported.",
    );
  const because =
    reason === FORMAT ? "it is damaged or cut off" : "its structure cannot be understood";
  return new UnreadablePdf("invalid_pdf", `The file cannot be read as a PDF: ${because}.`);
}

/** The number of bytes after the start of an object in which its type is searched. */
const HEAD = 4_000;
const MAX_OBJECTS = 500_000;
/** Object streams are unpacked up to this many bytes in total. */
const MAX_UNPACKED = 64_000_000;

interface FoundObjects {
  catalog?: number;
  /** The root of the page tree. */
  root?: number;
  pages: number[];
  highest: number;
  encrypted: boolean;
}

/**
 * A copy of a PDF whose end is missing, with a new one: it names the catalog, which is made of the
 * pages that are there if it is missing too.
 * @returns undefined if the file has no pages, or is encrypted with a key that is lost
 */
function repairPdf(bytes: Uint8Array): Uint8Array | undefined {
  const { catalog, root, pages, highest, encrypted } = findObjects(bytes);
  if (encrypted || (catalog === undefined && root === undefined && pages.length === 0))
    return undefined;
  // without the root of its pages, a catalog is of no use
  const isWhole = catalog !== undefined && root !== undefined;
  const added: string[] = [];
  let next = highest + 1;
  const add = (object: string): number => {
    added.push(`${next} 0 obj\n${object}\nendobj`);
    next += 1;
    return next - 1;
  };
  const tree = () => {
    const kids = pages.map((page) => `${page} 0 R`).join(" ");
    return root ?? add(`<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`);
  };
  const start = isWhole ? catalog : add(`<< /Type /Catalog /Pages ${tree()} 0 R >>`);
  const end = `\nendstream endobj\n${added.join("\n")}\ntrailer\n<< /Root ${start} 0 R /Size ${next} >>\n%%EOF\n`;
  const extra = new TextEncoder().encode(end);
  const whole = new Uint8Array(bytes.length + extra.length);
  whole.set(bytes);
  whole.set(extra, bytes.length);
  return whole;
}

function findObjects(bytes: Uint8Array): FoundObjects {
  const text = new TextDecoder("latin1").decode(bytes);
  const found: FoundObjects = { pages: [], highest: 0, encrypted: false };
  let unpacked = 0;
  let count = 0;
  for (const match of text.matchAll(/\b(\d{1,9})\s{1,8}\d{1,5}\s{1,8}obj\b/g)) {
    if ((count += 1) > MAX_OBJECTS) break;
    const number = Number(match[1]);
    const from = match.index + match[0].length;
    const head = headOf(text, from);
    note(found, number, head);
    if (!/\/Type\s*\/ObjStm\b/.test(head) || unpacked > MAX_UNPACKED) continue;
    const inner = unpack(bytes, text, from);
    unpacked += inner.length;
    const first = Number(/\/First\s+(\d{1,9})/.exec(head)?.[1] ?? 0);
    const places = (inner.slice(0, first).match(/\d+/g) ?? []).map(Number);
    for (let at = 0; at + 1 < places.length; at += 2)
      note(
        found,
        places[at] ?? 0,
        inner.slice(first + (places[at + 1] ?? 0)).slice(0, HEAD),
      );
  }
  return found;
}

/** The start of an object, without its stream and the object after it. */
function headOf(text: string, from: number): string {
  const head = text.slice(from, from + HEAD);
  const end = head.search(/\bendobj\b|\bstream\b/);
  return end < 0 ? head : head.slice(0, end);
}

function note(found: FoundObjects, number: number, head: string): void {
  found.highest = Math.max(found.highest, number);
  const type = /\/Type\s*\/(\w+)/.exec(head)?.[1];
  if (type === "Catalog") found.catalog = number;
  else if (type === "Page") found.pages.push(number);
  else if (type === "Pages" && !/\/Parent\b/.test(head)) found.root = number;
  else if (/\/Filter\s*\/Standard\b/.test(head) && /\/O\s*[(<]/.test(head))
    found.encrypted = true;
}

/** The text of an object stream; empty if it is cut off. */
function unpack(bytes: Uint8Array, text: string, from: number): string {
  const start = text.indexOf("stream", from) + "stream".length;
  const end = text.indexOf("endstream", start);
  if (end < 0) return "";
  const skip = text.startsWith("\r\n", start) ? 2 : 1;
  try {
    const raw = inflateSync(bytes.subarray(start + skip, end), {
      maxOutputLength: MAX_UNPACKED,
    });
    return raw.toString("latin1");
  } catch {
    return "";
  }
}

/**
 * A PDF that cannot be read: `invalid_pdf`, `password_required`, `wrong_password`,
 * `unsupported_encryption`, `no_pages`, `too_complex`. Another parser is unlikely to do better,
 * except where the code is `invalid_pdf`.
 */
export class UnreadablePdf extends FileError {}
