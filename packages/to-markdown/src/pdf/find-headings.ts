import { isBold, type BodyType } from "./build-blocks.ts";
import { type Block, type Segment, textOf } from "./layout.ts";

const MAX_HEADING_CHARACTERS = 220;
const MAX_LINES = 4;
/** A bold line of body size is a heading up to this length; longer ones are emphasis. */
const MAX_BOLD = 160;
const MAX_ITALIC = 60;
/** Text this many times larger than the body text is a heading. */
const LARGER = 1.12;

/** The text of a heading, without the differences between an outline and a page. */
export function headingKey(text: string): string {
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
): Block[] {
  return blocks.map((block, index) => {
    if (block.kind !== "paragraph" && block.kind !== "item") return block;
    const level = headingLevel(block, blocks[index + 1], body, outline);
    return level === undefined ? block : { kind: "heading", lines: block.lines, level };
  });
}

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
  const tagged = tag === "Title" ? "1" : /^H([1-6]?)$/.exec(tag ?? "")?.[1];
  if (tagged !== undefined) return tagged === "" ? 0 : Number(tagged);
  const named = outline.get(headingKey(text));
  if (named !== undefined && (stands(first, body) || block.kind !== "item"))
    return Math.min(named, 6);
  if (block.kind === "item") return undefined;
  if (
    tag !== undefined &&
    /^(P|LI|LBody|Lbl|TD|TH|Caption|Note|TOCI|Code|Formula)$/.test(tag) &&
    !stands(first, body)
  )
    return undefined;
  if (/[,;]$/.test(text) || (/[.]$/.test(text) && text.length > 80)) return undefined;
  if (lines.every((line) => line.size > body.size * LARGER)) return 0;
  // a bold line with a link is not the heading of the text below it
  const leads = lines.some(({ words }) => words.some(({ target }) => target !== undefined));
  const alone = lines.length <= 2 && text.length < MAX_BOLD && !leads;
  if (
    alone &&
    lines.every(isBold) &&
    !body.bold &&
    first.size > body.size * 0.9 &&
    !/[.:]$/.test(text)
  )
    return next ? 0 : undefined;
  return isSlanted(block, next) ? 0 : undefined;
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
    !/[.:,;!?]$/.test(text)
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
