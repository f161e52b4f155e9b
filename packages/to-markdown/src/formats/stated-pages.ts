import { type Block, textOf } from "./blocks.ts";

/** What a file says about its pages, apart from where they break. */
export interface PageRecord {
  /** Whether the program that laid the text out marked where pages end. */
  rendered: boolean;
  /** The number of pages that the program counted. */
  pages?: number | undefined;
  /** The number of characters that it counted, without white space. */
  characters?: number | undefined;
}

/** No page of a printed document has more, without white space. */
const MAX_CHARACTERS_PER_PAGE = 15_000;
/** How far two counts of the same text may differ: notes and labels are not always counted. */
const SAME_TEXT = { factor: 1.4, characters: 1_000 };

/**
 * Whether the pages of a flowing text are those that its readers see. Breaks that the author made
 * do not say so, because text also flows over in between. Breaks that a program recorded do, unless
 * the text was changed since: then its counts differ, or more stands on a page than fits.
 */
export function arePagesStated(
  blocks: readonly Block[],
  { rendered, pages, characters }: PageRecord,
): boolean {
  if (!rendered) return false;
  const sizes = [0];
  let largestTable = 0;
  for (const block of blocks) {
    const at = sizes.length - 1;
    if (block.kind === "page") sizes.push(0);
    // the rest of a long table is on the pages after it
    else if (block.kind === "table" && block.pagesOn) largestTable += sizeOf(block);
    else sizes[at] = (sizes[at] ?? 0) + sizeOf(block);
  }
  if (sizes.some((size) => size > MAX_CHARACTERS_PER_PAGE)) return false;
  // a template's counts are not those of this text
  if (characters === 0 || pages === undefined || pages < 1) return true;
  const counted = sizes.reduce((sum, size) => sum + size, largestTable);
  return (
    pages === sizes.length && (characters === undefined || isSame(counted, characters))
  );
}

function isSame(one: number, other: number): boolean {
  const { factor, characters } = SAME_TEXT;
  return Math.max(one, other) <= Math.min(one, other) * factor + characters;
}

function sizeOf(block: Block): number {
  if (block.kind === "table")
    return block.rows.reduce(
      (sum, row) => row.reduce((inner, cell) => inner + sizeOfCell(cell), sum),
      0,
    );
  if (block.kind === "code") return withoutSpace(block.text);
  return "runs" in block ? withoutSpace(textOf(block.runs)) : 0;
}

function sizeOfCell({ text, blocks }: { text?: string; blocks: Block[] }): number {
  return text === undefined
    ? blocks.reduce((sum, block) => sum + sizeOf(block), 0)
    : withoutSpace(text);
}

function withoutSpace(text: string): number {
  return text.replace(/\s+/g, "").length;
}
