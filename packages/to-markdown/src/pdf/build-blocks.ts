import { around, median } from "./geometry.ts";
import { type Block, endsEntry, type Region, type Segment, textOf } from "./layout.ts";
import { markerOf } from "./list-marker.ts";
import { isRightToLeft, mirrored } from "./right-to-left.ts";

/** The typography of most of the document. */
export interface BodyType {
  size: number;
  bold: boolean;
  mono: boolean;
  /** Whether its author named the headings, in a tagged file. */
  headed: boolean;
}

/** Lines that are this many times farther apart than usual belong to two paragraphs. */
const PARAGRAPH_GAP = 1.3;
/** The maximum distance in ems between lines of one heading. */
const HEADING_LEADING = 1.85;
/**
 * Text this many times larger than the body text is emphasised; list items are only slightly
 * larger.
 */
const LARGER = 1.12;
const MUCH_LARGER = 1.25;
const BULLET = /^[•◦▪■●○‣⁃∙➢✓❖◻□❑]/;

/** A word that continues on the next line. */
const HYPHENATED = /\p{Ll}[-\u00ad\u2010]$/u;
const WIDE = /[\u3040-\u30ff\u3400-\u9fff]/;

/** Joins the lines of a page's regions into paragraphs, list items and code. */
export function buildBlocks(regions: readonly Region[], body: BodyType): Block[] {
  const blocks: Block[] = [];
  for (const region of regions) {
    if ("table" in region) blocks.push({ kind: "table", table: region.table });
    else if ("figure" in region)
      blocks.push({ kind: "figure", lines: region.figure.lines });
    else {
      const { lines } = region;
      blocks.push(...blocksOf(isRightToLeft(lines) ? lines.map(mirrored) : lines, body));
    }
  }
  return blocks;
}

function blocksOf(lines: readonly Segment[], body: BodyType): Block[] {
  const blocks: Block[] = [];
  const box = around(lines);
  const leading = usualLeading(lines);
  let open: Block & { lines: Segment[] } = { kind: "paragraph", lines: [] };
  const flush = () => {
    if (open.lines.length > 0) blocks.push(open);
  };
  for (const [index, line] of lines.entries()) {
    const last = open.lines.at(-1);
    const code = isMono(line) && !body.mono;
    const marker =
      code || !mayBeItem(lines, index, body) ? undefined : markerOf(textOf(line));
    const begins =
      last &&
      startsBlock(open, last, line, {
        left: box.left,
        right: box.right,
        leading,
        body,
      });
    if (marker && (!last || begins || isMarkerHere(marker.length, open, last, line))) {
      flush();
      open = { kind: "item", lines: [line], depth: 0, marker: marker.marker };
    } else if (!last || begins || (open.kind === "code") !== code) {
      flush();
      open = { kind: code ? "code" : "paragraph", lines: [line] };
    } else open.lines.push(line);
  }
  flush();
  return nest(blocks);
}

/**
 * Whether an emphasised line may be a list item rather than a heading: it has a bullet, or is one
 * of several that are numbered in the same way.
 */
function mayBeItem(lines: readonly Segment[], index: number, body: BodyType): boolean {
  const line = lines[index];
  if (
    !line ||
    !(line.size > body.size * LARGER || (isBold(line) && !body.bold)) ||
    BULLET.test(textOf(line))
  )
    return true;
  if (isBold(line) || line.size > body.size * MUCH_LARGER) return false;
  const alike = (other: Segment | undefined) =>
    other && other.size === line.size && markerOf(textOf(other)) !== undefined;
  return Boolean(alike(lines[index - 1]) ?? alike(lines[index + 1]));
}

export function isBold(line: Segment): boolean {
  return line.words.every((word) => word.style.bold || !/[\p{L}\p{N}]/u.test(word.text));
}

/** Whether a line is set in fonts of which the file tells no name, and so no weight. */
export const isUnnamed = (line: Segment): boolean =>
  line.words.every(({ style }) => style.font === "");

/**
 * Whether a line is in a monospaced font. Chinese and Japanese characters have equal widths in
 * every font, so their lines never count as code.
 */
export function isMono(line: Segment): boolean {
  return line.words.every(({ text, style }) => style.mono && !WIDE.test(text));
}

function usualLeading(lines: readonly Segment[]): number {
  const steps: number[] = [];
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1];
    if (next && Math.abs(next.size - line.size) < 0.5) {
      const step = next.baseline - line.baseline;
      if (step > 0 && step < line.size * 2.2) steps.push(step);
    }
  }
  // from the smaller half, so that gaps between paragraphs do not count
  return (
    steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 3)] ??
    median(lines.map((line) => line.size)) * 1.25
  );
}

interface Around {
  left: number;
  right: number;
  leading: number;
  body: BodyType;
}

function startsBlock(
  open: Block & { lines: Segment[] },
  last: Segment,
  line: Segment,
  around: Around,
): boolean {
  if (endsEntry(textOf(last))) return true;
  const step = line.baseline - last.baseline;
  const size = Math.max(line.size, last.size);
  if (isOfHeading(last, line, around.body))
    return step < 0 || step > HEADING_LEADING * size || isEnded(last, line, around);
  if (step < 0 || step > Math.max(around.leading * PARAGRAPH_GAP, size * 1.05)) {
    if (step < 0 || step > size * 1.9 || step > around.leading * PARAGRAPH_GAP)
      return !(open.kind === "code" && isMono(line) && step < size * 3);
  }
  // of a font without a name, the size alone tells headings
  const alike = isUnnamed(last) && isUnnamed(line) ? 0.03 : 0.08;
  if (Math.abs(line.size - last.size) > alike * size) return true;
  if (open.kind === "code") return !isMono(line);
  if (
    isBold(last) !== isBold(line) &&
    (isBold(last)
      ? last.right < around.right - 2 * size || isBold(open.lines[0] ?? last)
      : true)
  ) {
    if (isBold(last) && open.lines.every(isBold)) return true;
    if (isBold(line) && endsSentence(last)) return true;
  }
  const first = open.lines[0] ?? last;
  if (open.kind === "item") {
    const text = first.words[1]?.left ?? first.left;
    if (line.left < text - size * 0.8 && open.lines.length > 1) return true;
    return line.left < first.left - size * 0.3;
  }
  const indent = line.left - last.left;
  if (
    indent > size * 0.7 &&
    indent < size * 5 &&
    endsSentence(last) &&
    Math.abs(last.left - around.left) < size
  )
    return true;
  return isEnded(last, line, around);
}

/**
 * Whether two lines have the same typography, larger than the body text, and the line spacing of a
 * heading.
 */
function isOfHeading(last: Segment, line: Segment, body: BodyType): boolean {
  return (
    Math.abs(line.size - last.size) < 0.5 &&
    line.size > body.size * LARGER &&
    isBold(last) === isBold(line)
  );
}

/**
 * Whether the first word of a line would have fit on the line before, which was therefore ended on
 * purpose.
 */
function isEnded(last: Segment, line: Segment, around: Around): boolean {
  const word = line.words[0];
  if (HYPHENATED.test(last.words.at(-1)?.text ?? "")) return false;
  const room = around.right - last.right;
  return (
    word !== undefined &&
    room > word.right - word.left + Math.max(line.size, last.size) * 3 &&
    (endsSentence(last) || room > (around.right - around.left) * 0.35)
  );
}

function endsSentence(line: Segment): boolean {
  return /[.!?:;。！？][)\]"'”’»]*$/.test(line.words.at(-1)?.text ?? "");
}

/**
 * Whether a marker inside a paragraph begins a list item. It does so only where list items are
 * expected, because a number at the start of a line may be just a number.
 */
function isMarkerHere(length: number, open: Block, last: Segment, line: Segment): boolean {
  if (BULLET.test(textOf(line))) return true;
  if (open.kind === "item")
    return length > 0 && Math.abs((open.lines[0]?.left ?? 0) - line.left) < line.size * 1.5;
  return length > 0 && (last.words.at(-1)?.text.endsWith(":") ?? false);
}

/** Sets the depth of list items by their indentation. */
function nest(blocks: Block[]): Block[] {
  let lefts: number[] = [];
  for (const block of blocks) {
    if (block.kind !== "item") {
      if (block.kind !== "paragraph" || (block.lines[0]?.left ?? 0) <= (lefts[0] ?? 0) + 2)
        lefts = [];
      continue;
    }
    const first = block.lines[0];
    const left = first?.left ?? 0;
    const step = (first?.size ?? 10) * 0.6;
    while (lefts.length > 0 && left < (lefts.at(-1) ?? 0) - step) lefts.pop();
    if (lefts.length === 0 || left > (lefts.at(-1) ?? 0) + step) lefts.push(left);
    block.depth = Math.min(lefts.length - 1, 8);
  }
  return blocks;
}
