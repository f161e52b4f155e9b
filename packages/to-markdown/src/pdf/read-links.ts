import type { Link } from "./page-content.ts";
import type { Pdfium } from "./pdfium.ts";

const MAX_LINKS = 2_000;
const TYPE_URI = 3;
/** Only addresses that are safe to follow. */
const SAFE = /^(https?|mailto):/i;

/** The areas of a page that link to web or mail addresses, in the coordinates of the PDF. */
export function readLinks(pdfium: Pdfium, document: number, page: number): Link[] {
  const { api, scratch, float, uint } = pdfium;
  const links: Link[] = [];
  const position = scratch;
  const found = scratch + 4;
  pdfium.setUint(position, 0);
  for (
    let turn = 0;
    turn < MAX_LINKS && api.FPDFLink_Enumerate(page, position, found);
    turn += 1
  ) {
    const next = uint(position);
    const link = uint(found);
    const action = api.FPDFLink_GetAction(link);
    if (action !== 0 && api.FPDFAction_GetType(action) === TYPE_URI) {
      const target = pdfium
        .text("utf-8", (buffer, size) =>
          api.FPDFAction_GetURIPath(document, action, buffer, size),
        )
        .trim();
      if (SAFE.test(target) && api.FPDFLink_GetAnnotRect(link, scratch)) {
        const box = {
          left: float(scratch),
          top: float(scratch + 4),
          right: float(scratch + 8),
          bottom: float(scratch + 12),
        };
        links.push({ ...box, target });
      }
    }
    pdfium.setUint(position, next);
  }
  return links;
}
