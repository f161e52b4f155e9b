import { type Block, type Cell, paragraph, type Run, textOf } from "../blocks.ts";
import { isLayout } from "../lay-out-table.ts";
import { type Stretch, stretchAt } from "./read-formatting.ts";
import type { Piece } from "./read-pieces.ts";

interface Source {
  pieces: readonly Piece[];
  textLength: number;
  noteLength: number;
  paragraphs: readonly Stretch[];
  characters: readonly Stretch[];
  styleLevels: ReadonlyMap<number, number>;
  listKind(list: number, level: number): "number" | "sign" | undefined;
}

/** Properties by their numbers. Source: [MS-DOC] 2.6. */
const IN_TABLE = 0x2416;
const ROW_END = 0x2417;
const LEVEL = 0x260a;
const LIST = 0x460b;
const OUTLINE = 0x2640;
const PAGE_BEFORE = 0x2407;
const BOLD = 0x0835;
const ITALIC = 0x0836;
const STRIKE = 0x0837;
const HIDDEN = 0x083c;

/** What stands for something else than itself. Source: [MS-DOC] 2.4.1. */
const CELL = "\x07";
const PAGE = "\f";
const LINE = "\v";
const FIELD_BEGIN = "\x13";
const FIELD_RESULT = "\x14";
const FIELD_END = "\x15";
const NOTE = "\x02";

/** A document's text, character after character, as blocks; footnotes at its end. */
export function docBlocks(source: Source): Block[] {
  const blocks: Block[] = [];
  const counters: number[] = [];
  let rows: Cell[][] = [];
  let row: Cell[] = [];
  let cell: Block[] = [];
  let runs: Run[] = [];
  let fields: { instruction: string; result: boolean; href?: string | undefined }[] = [];
  let noteCount = 0;

  const endTable = () => {
    if (row.length > 0) rows.push(row);
    row = [];
    if (rows.length > 0) {
      if (isLayout(rows))
        for (const each of rows) for (const { blocks: inner } of each) blocks.push(...inner);
      else blocks.push({ kind: "table", rows, depth: 0, quote: 0 });
    }
    rows = [];
  };

  const make = (own: Run[], format: Stretch | undefined): Block => {
    const outline = format?.properties.get(OUTLINE);
    const level =
      outline !== undefined && outline < 9
        ? outline + 1
        : source.styleLevels.get(format?.style ?? 0);
    if (level !== undefined) return { kind: "heading", level, runs: own };
    const list = format?.properties.get(LIST) ?? 0;
    const depth = Math.min(8, format?.properties.get(LEVEL) ?? 0);
    const kind = list > 0 && list < 0x7ff ? source.listKind(list, depth) : undefined;
    if (kind === undefined) {
      counters.length = 0;
      return paragraph(own);
    }
    counters.length = Math.min(counters.length, depth + 1);
    counters[depth] = (counters[depth] ?? 0) + 1;
    return paragraph(own, {
      depth: depth + 1,
      marker: kind === "sign" ? "-" : `${counters[depth]}.`,
    });
  };

  const endParagraph = (mark: string, offset: number) => {
    const format = stretchAt(source.paragraphs, offset);
    const own = runs;
    runs = [];
    const filled = textOf(own).trim() !== "";
    const inTable = format?.properties.get(IN_TABLE) === 1 || mark === CELL;
    if (inTable) {
      if (mark === CELL && format?.properties.get(ROW_END) === 1) {
        rows.push(row);
        row = [];
        return;
      }
      if (filled) cell.push(make(own, format));
      if (mark === CELL) {
        row.push({ blocks: cell, columns: 1, rows: 1 });
        cell = [];
      }
      return;
    }
    endTable();
    if (format?.properties.get(PAGE_BEFORE) === 1 && blocks.length > 0)
      blocks.push({ kind: "page" });
    if (filled) blocks.push(make(own, format));
    if (mark === PAGE) blocks.push({ kind: "page" });
  };

  const put = (text: string, offset: number) => {
    const instructions = fields.find(({ result }) => !result);
    if (instructions) {
      if (instructions.instruction.length < 2_000) instructions.instruction += text;
      return;
    }
    const look = stretchAt(source.characters, offset)?.properties;
    if (look?.get(HIDDEN) === 1) return;
    runs.push({
      text,
      bold: look?.get(BOLD) === 1,
      italic: look?.get(ITALIC) === 1,
      strike: look?.get(STRIKE) === 1,
      href: fields.findLast(({ href }) => href)?.href,
    });
  };

  const sign = (character: string, offset: number) => {
    if (character === "\r" || character === CELL || character === PAGE)
      endParagraph(character, offset);
    else if (character === LINE) put("\n", offset);
    else if (character === "\t") put("\t", offset);
    else if (character === "\x1e") put("-", offset);
    else if (character === FIELD_BEGIN) fields.push({ instruction: "", result: false });
    else if (character === FIELD_END) fields.pop();
    else if (character === NOTE && noteCount < source.noteLength) {
      noteCount += 1;
      runs.push({ raw: true, text: `[^${noteCount}]` });
    } else if (character === FIELD_RESULT) {
      const field = fields.at(-1);
      if (field)
        Object.assign(field, {
          result: true,
          href: /HYPERLINK\s+"([^"]{1,2000})"/i.exec(field.instruction)?.[1],
        });
    }
  };

  walk(source, 0, source.textLength, put, sign);
  endParagraph("\r", -1);
  if (cell.length > 0) row.push({ blocks: cell, columns: 1, rows: 1 });
  endTable();
  const notes = noteCount;
  fields = [];
  noteCount = Infinity;
  if (notes > 0) writeNotes(source, blocks);
  return blocks;
}

/** Stretches without signs, cut where their look changes; signs one by one. */
function walk(
  source: Source,
  from: number,
  length: number,
  put: (text: string, offset: number) => void,
  sign: (character: string, offset: number) => void,
): void {
  let position = 0;
  for (const { text, offset, width } of source.pieces) {
    const start = Math.max(0, from - position);
    const end = Math.min(text.length, from + length - position);
    position += text.length;
    for (let at = start; at < end;) {
      const place = offset + at * width;
      const character = text[at] ?? "";
      if (character < " ") {
        sign(character, place);
        at += 1;
        continue;
      }
      const look = stretchAt(source.characters, place);
      const limit = look
        ? Math.min(end, at + Math.max(1, Math.ceil((look.to - place) / width)))
        : end;
      let stop = at + 1;
      while (stop < limit && (text[stop] ?? "") >= " ") stop += 1;
      put(text.slice(at, stop), place);
      at = stop;
    }
  }
}

function writeNotes(source: Source, blocks: Block[]): void {
  let text = "";
  let number = 0;
  const end = () => {
    if (number > 0 && text.trim() !== "")
      blocks.push(paragraph([{ raw: true, text: `[^${number}]: ` }, { text: text.trim() }]));
    text = "";
  };
  walk(
    source,
    source.textLength,
    source.noteLength,
    (piece) => (text += piece),
    (character) => {
      // each note begins with its mark
      if (character === NOTE) {
        end();
        number += 1;
      } else text += " ";
    },
  );
  end();
}
