import {
  AlignmentType,
  BorderStyle,
  type IBorderOptions,
  type IPropertiesOptions,
  type ISectionOptions,
  type ITableBordersOptions,
  Footer,
  LineRuleType,
  PageNumber,
  Paragraph,
  TextRun,
} from "docx";
import type { Look, SourceTable } from "./document.ts";

/** Word measures in twentieths of a point, fonts in half points. */
const twips = (points: number): number => Math.round(points * 20);
const halves = (points: number): number => Math.round(points * 2);
const POINTS_PER_MILLIMETRE = 72 / 25.4;
const PAPERS = { a4: [595.3, 841.9], letter: [612, 792], a5: [419.5, 595.3] } as const;
const colourOf = (colour: string): string => colour.slice(1);

/** Word counts the distance of lines in 240ths of a font's own, which is about 1.15 ems. */
const lines = (leading: number) => ({
  line: Math.round((240 * leading) / 1.15),
  lineRule: LineRuleType.AUTO,
});
const SINGLE = lines(1.15);

/** The styles of text and headings. */
export function docxStyles(look: Look): NonNullable<IPropertiesOptions["styles"]> {
  const { font, size, leading, justified, headingSizes } = look;
  const headings = headingSizes.map((ratio, at) => [
    `heading${at + 1}`,
    {
      run: {
        font,
        size: halves(ratio * size),
        bold: look.headingBold,
        italics: look.headingStyle === "italic",
        color: colourOf(look.headingColour),
      },
      paragraph: {
        keepNext: true,
        spacing: { before: twips(size), after: twips(size * 0.5), ...SINGLE },
        ...(look.headingStyle === "centred" && { alignment: AlignmentType.CENTER }),
        ...(look.headingStyle === "band" && { shading: { fill: colourOf(look.pale) } }),
        ...(look.headingStyle === "underlined" && { border: { bottom: line(0.7) } }),
      },
    },
  ]);
  const spacing = { after: twips(size * 0.6), ...lines(leading) };
  const alignment = justified ? AlignmentType.BOTH : AlignmentType.START;
  const document = {
    run: { font, size: halves(size) },
    paragraph: { spacing, alignment },
  };
  return { default: { document, ...Object.fromEntries(headings) } };
}

/** The page, with its number below where the look has one. */
export function docxPage({
  paper,
  margin,
  running,
}: Look): Omit<ISectionOptions, "children"> {
  const [width, height] = PAPERS[paper];
  const edge = twips(margin * POINTS_PER_MILLIMETRE);
  const number = new TextRun({ children: [PageNumber.CURRENT] });
  const footer = new Paragraph({ alignment: AlignmentType.CENTER, children: [number] });
  return {
    properties: {
      page: {
        size: { width: twips(width), height: twips(height) },
        margin: { top: edge, bottom: edge, left: edge, right: edge },
      },
    },
    ...(running && { footers: { default: new Footer({ children: [footer] }) } }),
  };
}

/** A line so many points wide. */
function line(
  width: number,
  style: IBorderOptions["style"] = BorderStyle.SINGLE,
  color = "000000",
): IBorderOptions {
  return { style, size: Math.round(width * 8), color };
}
const NO_LINE = line(0, BorderStyle.NONE);

export function docxBorders({ look }: SourceTable): ITableBordersOptions {
  const all = (one: IBorderOptions) => ({ ...around(one), ...inside(one, one) });
  const around = (one: IBorderOptions) => ({
    top: one,
    bottom: one,
    left: one,
    right: one,
  });
  const inside = (insideHorizontal: IBorderOptions, insideVertical: IBorderOptions) => ({
    insideHorizontal,
    insideVertical,
  });
  switch (look) {
    case "grid":
      return all(line(0.7));
    case "dashed":
      return all(line(0.7, BorderStyle.DASHED, "555555"));
    case "blocks":
    case "white-grid":
      return all(line(2, BorderStyle.SINGLE, "FFFFFF"));
    case "frame":
      return { ...all(NO_LINE), ...around(line(1)) };
    case "levels":
      return { ...all(NO_LINE), bottom: line(0.5), insideHorizontal: line(0.5) };
    case "book":
      return { ...all(NO_LINE), top: line(1), bottom: line(1) };
    case "uprights":
      return {
        ...all(line(0.5)),
        top: NO_LINE,
        bottom: NO_LINE,
        insideHorizontal: NO_LINE,
      };
    default:
      return all(NO_LINE);
  }
}

/** The background of a row; undefined where it has none. */
export function docxFill(table: SourceTable, y: number, look: Look): string | undefined {
  const pale = colourOf(look.pale);
  switch (table.look) {
    case "zebra":
      return y % 2 === 1 ? pale : undefined;
    case "head-fill":
      return y < table.headRows ? pale : undefined;
    case "heat":
      return ["FADBD8", "D5F5E3", "D6EAF8"][y % 3];
    case "blocks":
    case "white-grid":
      return pale;
    default:
      return undefined;
  }
}

/** The line below a row's cells that no border of the whole table is. */
export function docxUnder({ look, headRows }: SourceTable, y: number) {
  return look === "book" && y === headRows - 1 ? { bottom: line(0.5) } : undefined;
}

export const docxPadding = ({ cellPadding }: Look) => ({
  top: twips(cellPadding / 2),
  bottom: twips(cellPadding / 2),
  left: twips(cellPadding + 3),
  right: twips(cellPadding + 3),
});
