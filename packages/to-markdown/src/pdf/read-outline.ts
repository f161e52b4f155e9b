import { headingKey } from "./find-headings.ts";
import type { OpenPdf } from "./open-pdf.ts";
import type { Pdfium } from "./pdfium.ts";

const MAX_ENTRIES = 5_000;
const MAX_DEPTH = 8;

/** The levels of the headings in a document's outline (its bookmarks), by `headingKey`. */
export function readOutline(pdfium: Pdfium, document: OpenPdf): Map<string, number> {
  const { api } = pdfium;
  const levels = new Map<string, number>();
  let left = MAX_ENTRIES;
  const walk = (parent: number, depth: number): void => {
    // an outline may contain cycles, so the number of entries is limited
    for (
      let entry = api.FPDFBookmark_GetFirstChild(document.handle, parent);
      entry !== 0;
    ) {
      left -= 1;
      if (left <= 0) return;
      const title = pdfium.text("utf-16le", (buffer, size) =>
        api.FPDFBookmark_GetTitle(entry, buffer, size),
      );
      const key = headingKey(title);
      if (key !== "" && !levels.has(key)) levels.set(key, depth);
      if (depth < MAX_DEPTH) walk(entry, depth + 1);
      entry = api.FPDFBookmark_GetNextSibling(document.handle, entry);
    }
  };
  walk(0, 1);
  return levels;
}
