import { openPdf, UnreadablePdf } from "./open-pdf.ts";
import { type PageWords, readPageWords } from "./page-words.ts";
import { loadPdfium, type Pdfium } from "./pdfium.ts";
import { writePng } from "./write-png.ts";

/** Renders pages of one open document; `close` frees its memory. */
export interface PageRenderer {
  pages: number;
  /**
   * Renders a page as PNG.
   * @param page counted from 1
   * @param dpi lowered where the picture would have more pixels than `maxPixels`
   * @throws UnreadablePdf when the page is damaged
   */
  render(page: number, dpi: number, maxPixels?: number): RenderedPage;
  /** Where the words of a page stand. @throws UnreadablePdf when the page is damaged */
  words(page: number): PageWords;
  close(): void;
}

export interface RenderedPage {
  png: Uint8Array;
  width: number;
  height: number;
  /** The resolution that was used. */
  dpi: number;
}

/** A4 at 400 dpi. Each pixel takes four bytes of the engine's memory. */
const MAX_PIXELS = 16_000_000;
const POINTS_PER_INCH = 72;
const WITH_ANNOTATIONS = 0x01;
/** RGBA instead of BGRA. */
const REVERSE_BYTE_ORDER = 0x10;
const BGRX = 3;
const WHITE = 0xffffffff;

/**
 * Opens a PDF to render its pages, for text recognition and previews.
 * @throws UnreadablePdf with a code that names the reason
 */
export async function openPageRenderer(
  bytes: Uint8Array,
  password?: string,
): Promise<PageRenderer> {
  const pdfium = await loadPdfium();
  const document = openPdf(pdfium, bytes, password);
  return {
    pages: document.pages,
    render: (page, dpi, maxPixels = MAX_PIXELS) =>
      withPage(pdfium, document.handle, page, (handle) =>
        render(pdfium, handle, { page, dpi, maxPixels }),
      ),
    words: (page) =>
      withPage(pdfium, document.handle, page, (handle) => readPageWords(pdfium, handle)),
    close: document.close,
  };
}

function withPage<Result>(
  { api }: Pdfium,
  document: number,
  page: number,
  work: (handle: number) => Result,
): Result {
  const handle = api.FPDF_LoadPage(document, page - 1);
  if (handle === 0)
    throw new UnreadablePdf(
      "invalid_pdf",
      `Page ${page} of the file cannot be read: it is damaged.`,
    );
  try {
    return work(handle);
  } finally {
    api.FPDF_ClosePage(handle);
  }
}

function render(
  pdfium: Pdfium,
  handle: number,
  { page, dpi, maxPixels }: { page: number; dpi: number; maxPixels: number },
): RenderedPage {
  const { api } = pdfium;
  const points = {
    width: api.FPDF_GetPageWidthF(handle),
    height: api.FPDF_GetPageHeightF(handle),
  };
  const wanted = (dpi / POINTS_PER_INCH) ** 2 * points.width * points.height;
  const scale = (dpi / POINTS_PER_INCH) * Math.min(1, Math.sqrt(maxPixels / wanted));
  // a page may be extremely long and thin
  const width = Math.min(Math.max(1, Math.round(points.width * scale)), maxPixels);
  const height = Math.max(
    1,
    Math.min(Math.round(points.height * scale), Math.floor(maxPixels / width)),
  );
  const bitmap = api.FPDFBitmap_CreateEx(width, height, BGRX, 0, 0);
  if (bitmap === 0)
    throw new UnreadablePdf(
      "too_complex",
      `Page ${page} of the file is too large to be drawn.`,
    );
  try {
    api.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    api.FPDF_RenderPageBitmap(
      bitmap,
      handle,
      0,
      0,
      width,
      height,
      0,
      WITH_ANNOTATIONS | REVERSE_BYTE_ORDER,
    );
    const stride = api.FPDFBitmap_GetStride(bitmap);
    const pixels = pdfium.view(api.FPDFBitmap_GetBuffer(bitmap), stride * height);
    return {
      png: writePng(pixels, width, height, stride),
      width,
      height,
      dpi: Math.round(scale * POINTS_PER_INCH),
    };
  } finally {
    api.FPDFBitmap_Destroy(bitmap);
  }
}
