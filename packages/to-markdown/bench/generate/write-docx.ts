import {
  AlignmentType,
  Document,
  FootnoteReferenceRun,
  HeadingLevel,
  type IParagraphOptions,
  LevelFormat,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from "docx";
import type { Look, SourceBlock, SourceDocument, SourceTable } from "./document.ts";
import {
  docxBorders,
  docxFill,
  docxPadding,
  docxPage,
  docxStyles,
  docxUnder,
} from "./docx-look.ts";
import { headingText } from "./truth.ts";

const LEVELS = [
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
] as const;
/** The levels of lists, each with its own marker. */
const DEPTHS = [0, 1];

/** Writes the document as Word would store it. */
export function writeDocx({ blocks, language, look }: SourceDocument): Promise<Uint8Array> {
  const isRightToLeft = language === "ar" || language === "he";
  const children = blocks.flatMap((block, at) => {
    const next = blocks[at + 1];
    // footnotes hang on the text before them, where Word has their marks
    const notes = next?.type === "notes" ? next.notes : [];
    return childrenOf(block, at, { isRightToLeft, look, notes });
  });
  const levels = (format: "decimal" | "bullet", text: (level: number) => string) =>
    DEPTHS.map((level) => ({
      level,
      format:
        level === 0
          ? LevelFormat[format === "decimal" ? "DECIMAL" : "BULLET"]
          : LevelFormat.BULLET,
      text: level === 0 ? text(level) : "–",
      alignment: AlignmentType.START,
      style: { paragraph: { indent: { left: 500 * (level + 1), hanging: 300 } } },
    }));
  const numbering = {
    config: [
      { reference: "numbers", levels: levels("decimal", () => "%1.") },
      { reference: "bullets", levels: levels("bullet", () => "•") },
    ],
  };
  const sections = [{ ...docxPage(look), children }];
  return Packer.toBuffer(new Document({ numbering, styles: docxStyles(look), sections }));
}

interface Surroundings {
  isRightToLeft: boolean;
  look: Look;
  notes: readonly string[];
}

function childrenOf(
  block: SourceBlock,
  at: number,
  { isRightToLeft, look, notes }: Surroundings,
) {
  const line: Line = (text, { bold, marks = [], ...options } = {}) => {
    const run = new TextRun({ text, rightToLeft: isRightToLeft, bold });
    const bidirectional = isRightToLeft;
    return new Paragraph({ bidirectional, children: [run, ...marks], ...options });
  };
  switch (block.type) {
    case "title":
      return [line(block.text, { heading: LEVELS[0] })];
    case "heading":
      return [line(headingText(block), { heading: LEVELS[block.level - 1] })];
    case "paragraph": {
      const marks = notes.map(
        (note) => new FootnoteReferenceRun({ children: [line(` ${note}`)] }),
      );
      return [line(block.text, { marks })];
    }
    case "caption":
      return [line(block.text)];
    case "list": {
      const reference = block.ordered ? "numbers" : "bullets";
      const item = (text: string, level: number) =>
        line(text, { numbering: { reference, level, instance: at } });
      return block.items.flatMap(({ text, items }) => [
        item(text, 0),
        ...items.map((inner) => item(inner, 1)),
      ]);
    }
    case "table":
      return [tableOf(block.table, line, look), line("")];
    case "notes":
      return [];
    default:
      throw new Error(`A ${block.type} is of printed pages.`);
  }
}

interface LineOptions extends IParagraphOptions {
  bold?: boolean;
  /** Marks of footnotes after the text. */
  marks?: readonly FootnoteReferenceRun[];
}
type Line = (text: string, options?: LineOptions) => Paragraph;

function tableOf(table: SourceTable, line: Line, look: Look): Table {
  const { rows, headRows, columns } = table;
  const rowOf = (row: SourceTable["rows"][number], y: number) => {
    const isHead = y < headRows;
    const fill = docxFill(table, y, look);
    const borders = docxUnder(table, y);
    const cells = row.map(({ text, across, down, table: inner }, x) => {
      const right = !isHead && table.numbers[columns - row.length + x];
      const alignment = right ? AlignmentType.END : AlignmentType.START;
      const own = line(text, {
        alignment,
        spacing: { after: 0 },
        bold: isHead && look.headingBold,
      });
      return new TableCell({
        columnSpan: across,
        rowSpan: down,
        // Word wants a paragraph at the end of every cell
        children: inner ? [own, tableOf(inner, line, look), line("")] : [own],
        ...(fill && { shading: { fill } }),
        ...(borders && { borders }),
      });
    });
    return new TableRow({ tableHeader: isHead, children: cells });
  };
  return new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    columnWidths: Array.from({ length: columns }, () => Math.floor(9000 / columns)),
    borders: docxBorders(table),
    margins: docxPadding(look),
    rows: rows.map(rowOf),
  });
}
