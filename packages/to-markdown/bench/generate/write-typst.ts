import type { Look, SourceBlock, SourceDocument, SourceTable } from "./document.ts";
import { typstFormula } from "./formula.ts";
import { headingText } from "./truth.ts";

/** Writes the document as Typst source. */
export function writeTypst({ blocks, language, look }: SourceDocument): string {
  const [title, ...levels] = look.headingSizes.map(
    (each) => `${(each * look.size).toFixed(1)}pt`,
  );
  const weight = look.headingBold ? "bold" : "regular";
  const paper = look.paper === "letter" ? "us-letter" : look.paper;
  const numbers = look.running ? ', numbering: "1"' : "";
  const frame = look.framed
    ? `, background: pad(${look.margin / 2}mm, rect(width: 100%, height: 100%))`
    : "";
  const fonts = [look.font, "Noto Sans CJK SC", "Noto Sans Arabic", "Noto Sans Hebrew"];
  return [
    `#set page(paper: "${paper}", margin: ${look.margin}mm${numbers}${frame})`,
    `#set text(font: (${fonts.map((font) => `"${font}"`).join(", ")}), size: ${look.size}pt, lang: "${language}")`,
    `#set par(justify: ${look.justified}, leading: ${(look.leading - 0.6).toFixed(2)}em)`,
    ...levels.map(
      (size, at) =>
        `#show heading.where(level: ${at + 1}): set text(size: ${size}, weight: "${weight}", fill: rgb("${look.headingColour}"))`,
    ),
    "#set heading(numbering: none)",
    ...blocks.map((block) => typstOf(block, look, title ?? "20pt")),
  ].join("\n\n");
}

function typstOf(block: SourceBlock, look: Look, title: string): string {
  const inner = (each: SourceBlock) => typstOf(each, look, title);
  switch (block.type) {
    case "title":
      return `#text(size: ${title}, weight: "bold")[${escaped(block.text)}]`;
    case "heading":
      return `#heading(level: ${block.level - 1})[${escaped(headingText(block))}]`;
    case "paragraph":
      return escaped(block.text);
    case "caption":
      return `#emph[${escaped(block.text)}]`;
    case "formula": {
      const formula = typstFormula(block.formula);
      return block.within
        ? `${escaped(block.within.before)} $${formula}$ ${escaped(block.within.after)}`
        : `$ ${formula} $`;
    }
    case "list":
      return block.items
        .flatMap(({ text, items }) => [
          `${block.ordered ? "+" : "-"} ${escaped(text)}`,
          ...items.map((item) => `  - ${escaped(item)}`),
        ])
        .join("\n");
    case "table":
      return typstTable(block.table, look);
    case "columns":
      return block.flowing
        ? `#columns(2)[${block.columns.flat().map(inner).join("\n\n")}]`
        : `#grid(columns: ${block.columns.length}, gutter: 8mm, ${block.columns.map((column) => `[${column.map(inner).join("\n\n")}]`).join(", ")})`;
    case "fields":
      return block.fields
        .map(
          ({ label, value }) =>
            `${escaped(label)} #box(stroke: 0.5pt, inset: 3pt)[${escaped(value)}]`,
        )
        .join("\n\n");
    case "notes":
      return `#line(length: 30%, stroke: 0.5pt)\n${block.notes.map((note, at) => `#text(size: 0.8em)[#super[${at + 1}] ${escaped(note)}]`).join("\n\n")}`;
  }
}

const STROKES: Record<SourceTable["look"], string> = {
  grid: "0.6pt",
  levels: "(x, y) => (bottom: 0.5pt + gray)",
  book: "(x, y) => if y == 0 { (top: 1pt, bottom: 0.5pt) }",
  uprights: "(left: 0.5pt, right: 0.5pt)",
  frame: "none",
  zebra: "none",
  "head-fill": "none",
  blocks: "2pt + white",
  heat: "none",
  "white-grid": "2pt + white",
  dashed: '(dash: "dashed", thickness: 0.6pt)',
  none: "none",
};

function typstTable(table: SourceTable, look: Look): string {
  const { pale } = look;
  const fills: Partial<Record<SourceTable["look"], string>> = {
    zebra: `(x, y) => if calc.odd(y) { rgb("${pale}") }`,
    "head-fill": `(x, y) => if y < ${table.headRows} { rgb("${pale}") }`,
    blocks: `rgb("${pale}")`,
    heat: '(x, y) => (rgb("#fadbd8"), rgb("#d5f5e3"), rgb("#d6eaf8")).at(calc.rem(x + y, 3))',
    "white-grid": `rgb("${pale}")`,
  };
  const cellOf = (bold: boolean) => (cell: SourceTable["rows"][number][number]) => {
    const text = bold ? `#strong[${escaped(cell.text)}]` : escaped(cell.text);
    const inner = cell.table ? `\n\n${typstTable(cell.table, look)}` : "";
    return `table.cell(colspan: ${cell.across}, rowspan: ${cell.down})[${text}${inner}]`;
  };
  const head = table.rows.slice(0, table.headRows).flat().map(cellOf(look.headingBold));
  const body = table.rows.slice(table.headRows).flat().map(cellOf(false));
  const align = table.numbers.map((number) => (number ? "right" : "start")).join(", ");
  const fill = fills[table.look];
  const drawn = `#table(columns: ${table.columns}, inset: ${look.cellPadding + 2}pt, align: (${align}), stroke: ${STROKES[table.look]},${fill ? ` fill: ${fill},` : ""} table.header(${head.join(", ")}), ${body.join(", ")})`;
  return table.look === "frame" ? `#block(stroke: 1pt, inset: 0pt)[${drawn}]` : drawn;
}

const escaped = (text: string): string =>
  text.replace(/[\\#$*_`<>@=~[\]/+-]/g, (character) => `\\${character}`);
