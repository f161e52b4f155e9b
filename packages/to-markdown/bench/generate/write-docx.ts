import {
  AlignmentType,
  Document,
  HeadingLevel,
  LevelFormat,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from "docx";
import type { SourceBlock, SourceDocument, SourceTable } from "./document.ts";
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
export function writeDocx({ blocks, language }: SourceDocument): Promise<Uint8Array> {
  const isRightToLeft = language === "ar" || language === "he";
  const children = blocks.flatMap((block, at) => childrenOf(block, at, isRightToLeft));
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
  return Packer.toBuffer(new Document({ numbering, sections: [{ children }] }));
}

function childrenOf(block: SourceBlock, at: number, bidirectional: boolean) {
  const line = (text: string, options: object = {}) =>
    new Paragraph({
      bidirectional,
      children: [new TextRun({ text, rightToLeft: bidirectional })],
      ...options,
    });
  switch (block.type) {
    case "title":
      return [line(block.text, { heading: LEVELS[0] })];
    case "heading":
      return [line(headingText(block), { heading: LEVELS[block.level - 1] })];
    case "paragraph":
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
      return [tableOf(block.table, line), line("")];
    default:
      throw new Error(`A ${block.type} is of printed pages.`);
  }
}

function tableOf(
  { rows, headRows, columns }: SourceTable,
  line: (text: string) => Paragraph,
): Table {
  return new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    columnWidths: Array.from({ length: columns }, () => Math.floor(9000 / columns)),
    rows: rows.map(
      (row, at) =>
        new TableRow({
          tableHeader: at < headRows,
          children: row.map(
            ({ text, across, down }) =>
              new TableCell({
                columnSpan: across,
                rowSpan: down,
                children: [line(text)],
              }),
          ),
        }),
    ),
  });
}
