import { UnreadablePdf } from "./pdf-errors.ts";
import type { Pdfium } from "./pdfium.ts";
import { repairPdf } from "./repair-pdf.ts";

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
