import { type Block, textOf } from "./blocks.ts";

const MAX_BLOCKS = 100;
/** How much of the text is searched for the words of a header. */
const MAX_SEARCHED = 4_000_000;

/** What is left of a page number, once its digits are gone. */
const PAGE_WORDS =
  /^(?:page|pages|seite|seiten|pagina|página|pág|pag|sida|side|sivu|strona|strana|bladzijde|p|s|of|von|de|di|van|av|af|z|sur|su|\s|[-–—|/.:·•()[\]])*$/iu;

/**
 * Adds what stands in headers and footers alone: headers before the text, footers after it, each
 * once. Page numbers and what the text says itself are left out.
 */
export function withRunningText(
  blocks: Block[],
  heads: readonly Block[],
  feet: readonly Block[],
): Block[] {
  if (heads.length === 0 && feet.length === 0) return blocks;
  const known = { text: folded(textIn(blocks).slice(0, MAX_SEARCHED)), left: MAX_BLOCKS };
  const first = heads.filter((block) => isNew(block, known));
  const last = feet.filter((block) => isNew(block, known));
  if (first.length === 0 && last.length === 0) return blocks;
  return [...first, ...blocks, ...last];
}

function isNew(block: Block, known: { text: string; left: number }): boolean {
  if (known.left <= 0) return false;
  known.left -= 1;
  const text = folded(textIn([block]));
  if (PAGE_WORDS.test(text.replace(/\d/g, "")) || known.text.includes(text)) return false;
  known.text += `\n${text}`;
  return true;
}

function textIn(blocks: readonly Block[]): string {
  return blocks
    .map((block) => {
      if (block.kind === "table")
        return block.rows
          .map((row) =>
            row.map(({ text, blocks: inner }) => text ?? textIn(inner)).join(" "),
          )
          .join("\n");
      if (block.kind === "code") return block.text;
      return "runs" in block ? textOf(block.runs) : "";
    })
    .join("\n");
}

function folded(text: string): string {
  return text.toLowerCase().replace(/\s+/g, " ").trim();
}
