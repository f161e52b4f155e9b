import type { Place } from "../../../src/services/embedding/contract-places.ts";
import { texts } from "./language.ts";

interface Placed {
  pageNumber: number | null;
  place?: Place | undefined;
}

const en = {
  page: (page: number) => `p. ${page}`,
  slide: (slide: number) => `slide ${slide}`,
  row: (row: number) => `row ${row}`,
  rows: (first: number, last: number) => `rows ${first}–${last}`,
};
const de = {
  page: (page: number) => `S. ${page}`,
  slide: (slide: number) => `Folie ${slide}`,
  row: (row: number) => `Zeile ${row}`,
  rows: (first: number, last: number) => `Zeilen ${first}–${last}`,
} satisfies typeof en;

const usePlaceTexts = texts({ en, de });

/**
 * Says where a passage stands: its page or slide; where the file states none, its sheet and rows,
 * its chapter or its section.
 * @returns a function that returns undefined where nothing is known.
 */
export function usePlace(): (source: Placed) => string | undefined {
  const words = usePlaceTexts();
  return ({ pageNumber, place }) => {
    const kind = place?.kind ?? "page";
    if (pageNumber !== null && kind === "slide") return words.slide(pageNumber);
    if (pageNumber !== null && kind === "page") return words.page(pageNumber);
    const { name, rows } = place ?? { name: null };
    const lines =
      rows &&
      (rows.first === rows.last
        ? words.row(rows.first)
        : words.rows(rows.first, rows.last));
    return [name, lines].filter(Boolean).join(", ") || undefined;
  };
}
