import { type Block, type Cell, paragraph, type Run, textOf } from "../../blocks.ts";
import { isLayout } from "../../lay-out-table.ts";
import { type Stretch, stretchAt } from "./read-formatting.ts";
import type { Piece } from "./read-pieces.ts";

interface DocSource {
  pieces: readonly Piece[];
  textLength: number;
  noteLength: number;
  paragraphs: readonly Stretch[];
  characters: readonly Stretch[];
  styleLevels: ReadonlyMap<number, number>;
  listKind(list: number, level: number): "number" | "sign" | undefined;
}

/** The numbers of properties. Source: [MS-DOC] 2.6. */
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

/** Characters with a special meaning. Source: [MS-DOC] 2.4.1. */
const CELL = "\x07";
const PAGE = "\f";
const LINE = "\v";
const FIELD_BEGIN = "\x13";
const FIELD_RESULT = "\x14";
const FIELD_END = "\x15";
const NOTE = "\x02";
const MAX_INSTRUCTION_CHARACTERS = 2_000;

/** The state while a text is read. */
interface Reading {
  source: DocSource;
  blocks: Block[];
  /** The number of the last item at each level of the list. */
  counters: number[];
  rows: Cell[][];
  row: Cell[];
  cell: Block[];
  runs: Run[];
  /** Open fields, the innermost last. */
  fields: { instruction: string; result: boolean; href?: string | undefined }[];
  noteCount: number;
}

/** Converts a document's text to blocks, with footnotes at the end. */
export function docBlocks(source: DocSource): Block[] {
  const reading: Reading = {
    source,
    blocks: [],
    counters: [],
    rows: [],
    row: [],
    cell: [],
    runs: [],
    fields: [],
    noteCount: 0,
  };
  walk(
    source,
    { from: 0, length: source.textLength },
    (text, offset) => putText(reading, text, offset),
    (character, offset) => readSign(reading, character, offset),
  );
  endParagraph(reading, "\r", -1);
  if (reading.cell.length > 0) endCell(reading);
  endTable(reading);
  if (reading.noteCount > 0) reading.blocks.push(...readNotes(source));
  return reading.blocks;
}

function endTable(reading: Reading): void {
  const { blocks, row } = reading;
  const rows = row.length > 0 ? [...reading.rows, row] : reading.rows;
  reading.row = [];
  reading.rows = [];
  if (rows.length === 0) return;
  if (!isLayout(rows)) blocks.push({ kind: "table", rows, depth: 0, quote: 0 });
  else for (const each of rows) for (const { blocks: inner } of each) blocks.push(...inner);
}

function endCell(reading: Reading): void {
  reading.row.push({ blocks: reading.cell, columns: 1, rows: 1 });
  reading.cell = [];
}

/** Converts a paragraph to a heading, list item or text. */
function toBlock(
  { source, counters }: Reading,
  runs: Run[],
  format: Stretch | undefined,
): Block {
  const outline = format?.properties.get(OUTLINE);
  const level =
    outline !== undefined && outline < 9
      ? outline + 1
      : source.styleLevels.get(format?.style ?? 0);
  if (level !== undefined) return { kind: "heading", level, runs };
  const list = format?.properties.get(LIST) ?? 0;
  const depth = Math.min(8, format?.properties.get(LEVEL) ?? 0);
  const kind = list > 0 && list < 0x7ff ? source.listKind(list, depth) : undefined;
  if (kind === undefined) {
    counters.length = 0;
    return paragraph(runs);
  }
  counters.length = Math.min(counters.length, depth + 1);
  counters[depth] = (counters[depth] ?? 0) + 1;
  const marker = kind === "sign" ? "-" : `${counters[depth]}.`;
  return paragraph(runs, { depth: depth + 1, marker });
}

function endParagraph(reading: Reading, mark: string, offset: number): void {
  const format = stretchAt(reading.source.paragraphs, offset);
  const { runs, blocks } = reading;
  reading.runs = [];
  const filled = textOf(runs).trim() !== "";
  if (mark === CELL && format?.properties.get(ROW_END) === 1) {
    reading.rows.push(reading.row);
    reading.row = [];
  } else if (mark === CELL || format?.properties.get(IN_TABLE) === 1) {
    if (filled) reading.cell.push(toBlock(reading, runs, format));
    if (mark === CELL) endCell(reading);
  } else {
    endTable(reading);
    if (format?.properties.get(PAGE_BEFORE) === 1 && blocks.length > 0)
      blocks.push({ kind: "page" });
    if (filled) blocks.push(toBlock(reading, runs, format));
    if (mark === PAGE) blocks.push({ kind: "page" });
  }
}

/** Adds text with its style, or a part of a field's instruction. */
function putText({ source, fields, runs }: Reading, text: string, offset: number): void {
  const instructions = fields.find(({ result }) => !result);
  if (instructions) {
    if (instructions.instruction.length < MAX_INSTRUCTION_CHARACTERS)
      instructions.instruction += text;
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
}

function readSign(reading: Reading, character: string, offset: number): void {
  const { source, fields, runs } = reading;
  if (character === "\r" || character === CELL || character === PAGE)
    endParagraph(reading, character, offset);
  else if (character === LINE) putText(reading, "\n", offset);
  else if (character === "\t") putText(reading, "\t", offset);
  else if (character === "\x1e") putText(reading, "-", offset);
  else if (character === FIELD_BEGIN) fields.push({ instruction: "", result: false });
  else if (character === FIELD_END) fields.pop();
  else if (character === NOTE && reading.noteCount < source.noteLength) {
    reading.noteCount += 1;
    runs.push({ raw: true, text: `[^${reading.noteCount}]` });
  } else if (character === FIELD_RESULT) beginResult(fields.at(-1));
}

/** Ends the instruction of a field, which its result follows. */
function beginResult(field: Reading["fields"][number] | undefined): void {
  if (!field) return;
  field.result = true;
  field.href = /HYPERLINK\s+"([^"]{1,2000})"/i.exec(field.instruction)?.[1];
}

/**
 * Passes runs of plain text, divided where their style changes, and special characters one by one.
 */
function walk(
  source: DocSource,
  { from, length }: { from: number; length: number },
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

function readNotes(source: DocSource): Block[] {
  const blocks: Block[] = [];
  let text = "";
  let number = 0;
  const end = () => {
    if (number > 0 && text.trim() !== "")
      blocks.push(
        paragraph([{ raw: true, text: `[^${number}]: ` }, { text: text.trim() }]),
      );
    text = "";
  };
  walk(
    source,
    { from: source.textLength, length: source.noteLength },
    (piece) => (text += piece),
    (character) => {
      // each note begins with its reference mark
      if (character === NOTE) {
        end();
        number += 1;
      } else text += " ";
    },
  );
  end();
  return blocks;
}
