import { hasLeaders, type Segment, textOf } from "./layout.ts";

/** Fewer lines may be in order by chance. */
const MIN_LINES = 5;
/** … unless a title says what follows. */
const MIN_NAMED_LINES = 2;
const CONTENTS =
  /^(?:(?:table of )?contents|inhalt(?:sverzeichnis|sübersicht)?|sommaire|table des matières|índice|indice|sumário|sommario|inhoud(?:sopgave)?|spis treści|目\s?[录錄次])$/iu;
/** A title of a chapter is longer than the name of a row, on average, in characters. */
const TITLE = 9;
const PAGE_NAME = /^(pages?|pp?\.|seiten?|s\.|página|pagina|[\divxlc]+)$/i;
const PAGE = /^(\d{1,4}|[ivxlc]{1,7})$/;

/**
 * The lines of a table of contents: titles with numbers of pages at the right edge that never fall
 * and mostly rise. They are no table, although the numbers stand in a column.
 * @param bands the lines of a page or column, with their pieces
 */
export function contentsIn(
  bands: readonly (readonly Segment[])[],
): Set<readonly Segment[]> {
  const found = new Set<readonly Segment[]>();
  let run: { band: readonly Segment[]; page: number; right: number; title: string }[] = [];
  let head: readonly Segment[] | undefined;
  let named = false;
  let before: readonly Segment[] | undefined;
  const close = () => {
    const titles = run.reduce((sum, { title }) => sum + title.length, 0);
    const pages = new Set(run.map(({ page }) => page));
    const isContents = named
      ? run.length >= MIN_NAMED_LINES
      : run.length >= MIN_LINES &&
        titles >= TITLE * run.length &&
        pages.size > run.length / 2 &&
        !isEven([...pages]) &&
        !isHead(head, run[0]?.right ?? 0);
    if (isContents) for (const { band } of run) found.add(band);
    run = [];
  };
  for (const band of bands) {
    const entry = entryOf(band);
    // a title of several lines has its number beside the first or the last of them
    if (!entry && band.length === 1 && run.length > 0) continue;
    const last = run.at(-1);
    const goesOn =
      entry &&
      last &&
      entry.page >= last.page &&
      Math.abs(entry.right - last.right) < (band[0]?.size ?? 10);
    if (!goesOn) {
      close();
      head = before;
      named =
        before?.length === 1 && before.some((title) => CONTENTS.test(textOf(title).trim()));
    }
    if (entry) run.push({ band, ...entry });
    before = band;
  }
  close();
  return found;
}

/** The title and the page of a line; the pages in Roman numerals come before all others. */
function entryOf(
  band: readonly Segment[],
): { page: number; right: number; title: string } | undefined {
  const pieces = band.toSorted((a, b) => a.left - b.left);
  const last = pieces.at(-1);
  const number = last && textOf(last).trim();
  if (!last || !number || pieces.length < 2 || pieces.length > 3 || !PAGE.test(number))
    return undefined;
  const title = pieces.slice(0, -1).map(textOf).join(" ");
  if (!/\p{L}{2}/u.test(title) || hasLeaders(title)) return undefined;
  return { page: /\d/.test(number) ? Number(number) : 0, right: last.right, title };
}

/** Whether numbers rise by the same step: years and ranks do, pages do not. */
function isEven(numbers: readonly number[]): boolean {
  const steps = numbers.slice(1).map((number, at) => number - (numbers[at] ?? 0));
  return steps.every((step) => step === steps[0]);
}

/** Whether a line names the column of numbers, and not as that of pages. */
function isHead(band: readonly Segment[] | undefined, right: number): boolean {
  const last = band?.toSorted((a, b) => a.left - b.left).at(-1);
  if (!band || !last || band.length < 2 || Math.abs(last.right - right) > 3 * last.size)
    return false;
  return !PAGE_NAME.test(textOf(last).trim());
}

/** Fewer terms may be in the order of the alphabet by chance. */
const MIN_TERMS = 6;
/** So many of all terms stand in order, and so many pieces end with several pages. */
const IN_ORDER = 0.85;
const MIN_LISTS = 0.1;
const PAGES = /(?<![\d,.])\d{1,4}(?:[-–]\d{1,4})?(?:, \d{1,4}(?:[-–]\d{1,4})?){1,40},?$/;

/** Whether lines are terms in the order of the alphabet, with the pages on which they occur. */
export function isIndex(bands: readonly (readonly Segment[])[]): boolean {
  const pieces = bands.flat();
  const lists = pieces.filter((piece) => {
    const pages = PAGES.exec(textOf(piece).trim())?.[0];
    return pages !== undefined && isRising(pages.match(/\d+/g)?.map(Number) ?? []);
  });
  if (lists.length < MIN_LINES || lists.length < pieces.length * MIN_LISTS) return false;
  const left = Math.min(...pieces.map((piece) => piece.left));
  const terms = pieces
    .filter((piece) => piece.left < left + piece.size)
    .flatMap(
      (piece) => /\p{L}[\p{L}\p{N}\s]*/u.exec(textOf(piece))?.[0].toLowerCase() ?? [],
    );
  const ordered = terms.filter((term, at) => at === 0 || (terms[at - 1] ?? "") <= term);
  return terms.length >= MIN_TERMS && ordered.length >= terms.length * IN_ORDER;
}

const isRising = (numbers: readonly number[]): boolean =>
  numbers.every((number, at) => at === 0 || number >= (numbers[at - 1] ?? 0));
