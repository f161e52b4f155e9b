import { isBold, isUnnamed, type BodyType } from "./build-blocks.ts";
import { namesNothing } from "./names-nothing.ts";
import { type Block, hasLeaders, type Segment, textOf } from "./layout.ts";
import type { OpenPdf } from "./open-pdf.ts";
import type { Pdfium } from "./pdfium.ts";

const MAX_HEADING_CHARACTERS = 220;
const MAX_LINES = 8;
/** Bold lines of the body's size name something, more of them stress it. */
const MAX_BOLD_LINES = 3;
const MAX_ITALIC = 60;
/** Type of a heading that nothing but its size tells. */
const SLIGHTLY_LARGER = 1.03;
const ENDS_SENTENCE = /[.:,;!?。：，、！？]$/;
/** Text this many times larger than the body text is a heading. */
const LARGER = 1.12;

/** So many titles of one typography have nothing below them by no chance. */
const MIN_RUN = 3;
/** How far a statement stands below its title, in type sizes. */
const MAX_APART = 2;
const NUMBERED =
  /^(?:\p{L}{3,12}\s)?(?:\p{N}{1,2}|[IVX]{1,5})(?:\.\p{N}{1,2})*[.:)]?(?:\s|$)/u;

const HEADING_TAG = /^H([1-6]?)$/;
const OTHER_TAG = /^(LI|LBody|Lbl|TD|TH|Caption|Note|TOCI|Code|Formula)$/;

/** Whether a tag names a heading. */
export const isHeadingTag = (tag: string | undefined): boolean =>
  tag !== undefined && (tag === "Title" || HEADING_TAG.test(tag));

/**
 * Whether a tag names something else. Everything is a paragraph where a writer tags no headings:
 * then that says nothing.
 */
const isOtherRole = (tag: string, body: BodyType): boolean =>
  OTHER_TAG.test(tag) || (tag === "P" && body.headed);

/** The text of a heading, without the differences between an outline and a page. */
function headingKey(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

/**
 * Turns paragraphs that are headings into headings. `level` is by typography, and is ranked over
 * the whole document later.
 */
export function findHeadings(
  blocks: readonly Block[],
  body: BodyType,
  outline: ReadonlyMap<string, number>,
  pageHeight: number,
): Block[] {
  const found = blocks.map((block, index): Block => {
    if (block.kind !== "paragraph" && block.kind !== "item") return block;
    const level = headingLevel(block, blocks[index + 1], body, outline);
    if (level === 0 && namesNothing({ block, blocks, index, pageHeight, body }))
      return block;
    return level === undefined ? block : { kind: "heading", lines: block.lines, level };
  });
  return withoutRuns(found);
}

/**
 * Blocks in which plain lines of one typography that follow each other, with nothing below any
 * of them, are text: addresses, names of authors, lists in large type. So is a line under a smaller
 * title, the statement of a slide. Numbers make titles of them all the same, and so does the
 * largest type of the page.
 */
function withoutRuns(blocks: readonly Block[]): Block[] {
  const looks = blocks.map((block) => ("lines" in block ? lookOf(block.lines) : undefined));
  const sizes = blocks.map((block, at) =>
    block.kind === "heading" ? (looks[at]?.size ?? 0) : 0,
  );
  const largest = Math.max(...sizes);
  const runFrom = (at: number, step: 1 | -1): number => {
    let end = at;
    while (looks[end + step]?.key === looks[at]?.key) end += step;
    return end;
  };
  return blocks.map((block, at) => {
    const look = looks[at];
    if (block.kind !== "heading" || block.level > 0 || !look) return block;
    if (look.bold || look.size >= largest || isNumbered(block.lines)) return block;
    const isInRun = runFrom(at, 1) - runFrom(at, -1) >= MIN_RUN - 1;
    const above = blocks[at - 1];
    const isStatement = above?.kind === "heading" && isUnder(block.lines, above.lines);
    return isInRun || isStatement ? { kind: "paragraph", lines: block.lines } : block;
  });
}

/** Whether lines are close below smaller ones, and begin with them. */
function isUnder([line]: readonly Segment[], above: readonly Segment[]): boolean {
  const title = above.at(-1);
  return (
    line !== undefined &&
    title !== undefined &&
    !isNumbered(above) &&
    title.size * LARGER < line.size &&
    Math.abs(title.left - line.left) < line.size &&
    line.top > title.bottom &&
    line.top - title.bottom < MAX_APART * line.size
  );
}

const isNumbered = ([line]: readonly Segment[]): boolean =>
  line !== undefined && NUMBERED.test(textOf(line));

/** 1–6 where the file states it; 0 where only typography shows that it is a heading. */
function headingLevel(
  block: Block & { lines: Segment[] },
  next: Block | undefined,
  body: BodyType,
  outline: ReadonlyMap<string, number>,
): number | undefined {
  const { lines } = block;
  const first = lines[0];
  if (!first || lines.length > MAX_LINES) return undefined;
  const text = lines.map(textOf).join(" ");
  if (text.length > MAX_HEADING_CHARACTERS || !/\p{L}/u.test(text)) return undefined;
  const tag = first.words[0]?.style.tag;
  const tagged = tag === "Title" ? "1" : HEADING_TAG.exec(tag ?? "")?.[1];
  if (tagged !== undefined) return tagged === "" ? 0 : Number(tagged);
  const named = outline.get(headingKey(text));
  if (named !== undefined && (stands(first, body) || block.kind !== "item"))
    return Math.min(named, 6);
  if (block.kind === "item") return undefined;
  if (tag !== undefined && isOtherRole(tag, body) && !stands(first, body)) return undefined;
  if (hasLeaders(text)) return undefined;
  if (/[,;]$/.test(text) || (/[.]$/.test(text) && text.length > 80)) return undefined;
  // a line that leads elsewhere is a link, not the name of what follows
  const leads = lines.some(({ words }) => words.some(({ target }) => target !== undefined));
  if (lines.every((line) => line.size > body.size * LARGER))
    return leads && lines.length > MAX_BOLD_LINES ? undefined : 0;
  const alone = lines.length <= MAX_BOLD_LINES && !leads;
  if (
    alone &&
    lines.every(isBold) &&
    !body.bold &&
    first.size > body.size * 0.9 &&
    !/[.:]$/.test(text)
  )
    return next ? 0 : undefined;
  return isSlanted(block, next) || isSetLarger(block, next) ? 0 : undefined;
}

/**
 * Whether a short line is set a little larger than the text below it, in a font of which the file
 * does not say how heavy it is.
 */
function isSetLarger(
  { lines, kind }: Block & { lines: Segment[] },
  next: Block | undefined,
): boolean {
  const [line] = lines;
  if (!line || kind !== "paragraph" || lines.length > 1 || next?.kind !== "paragraph")
    return false;
  return (
    isUnnamed(line) &&
    next.lines.every(({ size }) => size * SLIGHTLY_LARGER < line.size) &&
    !ENDS_SENTENCE.test(textOf(line))
  );
}

/** Whether a short line in italics is above a paragraph with the same left edge. */
function isSlanted(
  { lines, kind }: Block & { lines: Segment[] },
  next: Block | undefined,
): boolean {
  const [line] = lines;
  if (!line || kind !== "paragraph" || lines.length > 1 || next?.kind !== "paragraph")
    return false;
  const [first] = next.lines;
  const text = textOf(line);
  return (
    first !== undefined &&
    next.lines.length > 1 &&
    Math.abs(first.left - line.left) < line.size &&
    line.words.every(({ style }) => style.italic) &&
    first.words.some(({ style }) => !style.italic) &&
    text.length <= MAX_ITALIC &&
    /^\p{Lu}/u.test(text) &&
    !ENDS_SENTENCE.test(text)
  );
}

function stands(line: Segment, body: BodyType): boolean {
  return line.size > body.size * 1.05 || (isBold(line) && !body.bold);
}

/** Ranks headings that only typography shows: the largest font is the first level. */
export function rankHeadings(pages: readonly (readonly Block[])[]): void {
  const looks = new Map<string, { size: number; bold: boolean; said: number[] }>();
  for (const block of pages.flat()) {
    if (block.kind !== "heading") continue;
    const look = lookOf(block.lines);
    const known = looks.get(look.key) ?? { size: look.size, bold: look.bold, said: [] };
    if (block.level > 0) known.said.push(block.level);
    looks.set(look.key, known);
  }
  const order = [...looks].toSorted(
    ([, a], [, b]) => b.size - a.size || Number(b.bold) - Number(a.bold),
  );
  const levels = new Map(
    order.map(([key, { said }], rank) => [key, said[0] ?? Math.min(rank + 1, 6)]),
  );
  for (const block of pages.flat()) {
    if (block.kind === "heading" && block.level === 0)
      block.level = levels.get(lookOf(block.lines).key) ?? 1;
  }
}

function lookOf(lines: readonly Segment[]): { key: string; size: number; bold: boolean } {
  const first = lines[0];
  const size = Math.round((first?.size ?? 0) * 2) / 2;
  const bold = first !== undefined && isBold(first);
  return { key: `${size} ${bold}`, size, bold };
}

const MAX_OUTLINE_ENTRIES = 5_000;
const MAX_OUTLINE_DEPTH = 8;

/** The levels of the headings in a document's outline (its bookmarks), by `headingKey`. */
export function readOutline(pdfium: Pdfium, document: OpenPdf): Map<string, number> {
  const { api } = pdfium;
  const levels = new Map<string, number>();
  let left = MAX_OUTLINE_ENTRIES;
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
      if (depth < MAX_OUTLINE_DEPTH) walk(entry, depth + 1);
      entry = api.FPDFBookmark_GetNextSibling(document.handle, entry);
    }
  };
  walk(0, 1);
  return levels;
}
