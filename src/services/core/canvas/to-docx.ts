import type { ParagraphChild, IRunOptions } from "docx";
import type { Block, TextRun } from "./blocks.ts";

type Docx = typeof import("docx");

/** Renders a Word document with real headings, lists, tables and links. */
export async function toDocx(
  title: string,
  blocks: readonly Block[],
): Promise<Uint8Array<ArrayBuffer>> {
  // loaded with the first export: most servers never need it
  const docx = await import("docx");
  const place: Place = { lists: { made: 0 }, depth: 0 };
  const document = new docx.Document({
    title: printable(title),
    creator: "Parlance",
    numbering: { config: [{ reference: "numbers", levels: levels(docx) }] },
    sections: [{ children: blocks.flatMap((one) => elements(docx, one, place)) }],
  });
  return new Uint8Array(await docx.Packer.toBuffer(document));
}

interface Place {
  /** Each numbered list starts its own numbering. */
  lists: { made: number };
  /** The levels of lists. */
  depth: number;
  quote?: boolean;
}

type Element = InstanceType<Docx["Paragraph"]> | InstanceType<Docx["Table"]>;
type BlockOf<Kind extends Block["kind"]> = Extract<Block, { kind: Kind }>;

function elements(docx: Docx, one: Block, place: Place): Element[] {
  const indent = { left: place.depth * 360 + (place.quote ? 480 : 0) };
  switch (one.kind) {
    case "heading":
      return [
        new docx.Paragraph({
          heading: headings(docx)[one.depth - 1] ?? docx.HeadingLevel.HEADING_6,
          children: children(docx, one.runs),
        }),
      ];
    case "paragraph":
      return [
        new docx.Paragraph({
          children: children(docx, one.runs),
          spacing: { after: 120 },
          indent,
        }),
      ];
    case "list":
      return list(docx, one, place);
    case "table":
      return [table(docx, one), new docx.Paragraph({})];
    case "code":
      return one.text.split("\n").map(
        (line) =>
          new docx.Paragraph({
            children: [
              new docx.TextRun({ text: printable(line), font: "Courier New", size: 20 }),
            ],
            shading: { type: docx.ShadingType.CLEAR, fill: "F4F4F4" },
            indent,
          }),
      );
    case "quote":
      return one.blocks.flatMap((inside) =>
        elements(docx, inside, { ...place, quote: true }),
      );
    case "rule":
      return [
        new docx.Paragraph({
          border: {
            bottom: { style: docx.BorderStyle.SINGLE, size: 6, color: "BBBBBB", space: 1 },
          },
        }),
      ];
  }
}

function list(docx: Docx, { ordered, items }: BlockOf<"list">, place: Place): Element[] {
  const instance = (place.lists.made += 1);
  const level = Math.min(place.depth, 8);
  const bullet = ordered
    ? { numbering: { reference: "numbers", level, instance } }
    : { bullet: { level } };
  return items.flatMap(({ checked, blocks }) => {
    const [first, ...rest] = blocks;
    const runs = first?.kind === "paragraph" ? first.runs : [];
    const mark: TextRun[] = checked === undefined ? [] : [{ text: checked ? "☑ " : "☐ " }];
    const others = first && first.kind !== "paragraph" ? blocks : rest;
    return [
      new docx.Paragraph({ children: children(docx, [...mark, ...runs]), ...bullet }),
      ...others.flatMap((inside) =>
        elements(docx, inside, { ...place, depth: place.depth + 1 }),
      ),
    ];
  });
}

function table(docx: Docx, { header, rows, align }: BlockOf<"table">): Element {
  const cell = (runs: readonly TextRun[], column: number) =>
    new docx.TableCell({
      children: [
        new docx.Paragraph({
          children: children(docx, runs),
          alignment: align[column] ?? "left",
        }),
      ],
    });
  const bold = header.map((runs) => runs.map((run) => ({ ...run, bold: true as const })));
  return new docx.Table({
    width: { size: 100, type: docx.WidthType.PERCENTAGE },
    rows: [bold, ...rows].map(
      (cells, index) =>
        new docx.TableRow({ tableHeader: index === 0, children: cells.map(cell) }),
    ),
  });
}

function children(docx: Docx, runs: readonly TextRun[]): ParagraphChild[] {
  return runs
    .map((run) => {
      const lines = printable(run.text).split("\n");
      const parts = lines.map(
        (text, index) =>
          new docx.TextRun({ ...look(run), text, ...(index > 0 && { break: 1 }) }),
      );
      if (!run.link) return parts;
      const linked = lines.map(
        (text) => new docx.TextRun({ ...look(run), text, style: "Hyperlink" }),
      );
      return [new docx.ExternalHyperlink({ link: run.link, children: linked })];
    })
    .flat();
}

function look({ bold, italic, strike, code }: TextRun): IRunOptions {
  return {
    ...(bold && { bold }),
    ...(italic && { italics: true }),
    ...(strike && { strike }),
    ...(code && { font: "Courier New" }),
  };
}

/** XML does not allow control characters. */
function printable(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .toWellFormed();
}

function headings({ HeadingLevel: level }: Docx) {
  return [
    level.HEADING_1,
    level.HEADING_2,
    level.HEADING_3,
    level.HEADING_4,
    level.HEADING_5,
    level.HEADING_6,
  ];
}

function levels(docx: Docx) {
  return Array.from({ length: 9 }, (_, level) => ({
    level,
    format: docx.LevelFormat.DECIMAL,
    text: `%${level + 1}.`,
    alignment: docx.AlignmentType.START,
    style: { paragraph: { indent: { left: 720 + level * 360, hanging: 360 } } },
  }));
}
