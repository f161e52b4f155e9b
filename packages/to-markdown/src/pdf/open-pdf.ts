import { UnreadablePdf } from "./pdf-errors.ts";
import type { Pdfium } from "./pdfium.ts";

/** An open document; `close` frees its memory. */
export interface OpenPdf {
  handle: number;
  pages: number;
  title?: string;
  author?: string;
  language?: string;
  close(): void;
}

/** The header may be this many bytes into the file: readers accept foreign bytes before it. */
const HEADER_WITHIN = 1024;

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
  const address = pdfium.keep(bytes);
  if (address === 0)
    throw new UnreadablePdf("too_complex", "The file is too large to be read in memory.");
  const handle = api.FPDF_LoadMemDocument(address, bytes.length, password);
  if (handle === 0) {
    const reason = api.FPDF_GetLastError();
    pdfium.free(address);
    throw whyNot(reason, password !== "");
  }
  const close = () => {
    api.FPDF_CloseDocument(handle);
    pdfium.free(address);
  };
  const pages = api.FPDF_GetPageCount(handle);
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
    title: said("Title"),
    author: said("Author"),
    language: /^[a-z]{2}(?=$|[-_])/i.exec(language.trim())?.[0].toLowerCase(),
    close,
  };
}

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
