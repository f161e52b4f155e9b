import type { Look, SourceBlock, SourceDocument, SourceTable } from "./document.ts";
import { headingText, placesOf } from "./truth.ts";

/** Writes the document as groff source, with the ms macros and tbl tables. */
export function writeGroff({ blocks, look }: SourceDocument): string {
  return [
    `.nr PS ${look.size}`,
    `.nr VS ${(look.size * look.leading).toFixed(1)}`,
    ".nr PO 2.2c\n.nr LL 16.5c\n.nr LT 16.5c",
    ".nr HM 2c\n.nr FM 2c",
    ".ds CH",
    look.justified ? "" : ".na",
    ...blocks.map((block) => groffOf(block, look)),
    "",
  ].join("\n");
}

function groffOf(block: SourceBlock, look: Look): string {
  switch (block.type) {
    case "title":
      return headingOf(block.text, look, 0);
    case "heading":
      return headingOf(headingText(block), look, block.level - 1);
    case "paragraph":
      return `.LP\n${escaped(block.text)}`;
    case "caption":
      return `.LP\n.I "${escaped(block.text)}"`;
    case "formula":
      throw new Error("The set has formulas of TeX and Typst.");
    case "list":
      return block.items
        .flatMap(({ text, items }, at) => [
          `.IP "${block.ordered ? `${at + 1}.` : "\\(bu"}" 3\n${escaped(text)}`,
          ...(items.length > 0 ? [".RS"] : []),
          ...items.map((item) => `.IP "\\(bu" 3\n${escaped(item)}`),
          ...(items.length > 0 ? [".RE"] : []),
        ])
        .join("\n");
    case "table":
      return groffTable(block.table);
    case "columns":
      return block.columns
        .flat()
        .map((each) => groffOf(each, look))
        .join("\n");
    case "fields":
      return block.fields
        .map(({ label, value }) => `.LP\n${escaped(`${label} ${value}`)}`)
        .join("\n");
    case "notes":
      return block.notes
        .map((note, at) => `.FS ${at + 1}\n${escaped(note)}\n.FE`)
        .join("\n");
  }
}

function headingOf(text: string, look: Look, level: number): string {
  const size = Math.round((look.headingSizes[level] ?? 1) * look.size);
  const face = look.headingBold ? "B" : "R";
  return `.LP\n.ne 5\n.na\n.ps ${size}\n.vs ${Math.round(size * 1.2)}\n.ft ${face}\n${escaped(text)}\n.br\n.ft R\n${look.justified ? ".ad" : ""}`;
}

function groffTable(table: SourceTable): string {
  const boxes: Partial<Record<SourceTable["look"], string>> = {
    grid: "allbox",
    dashed: "allbox",
    frame: "box",
  };
  const long = table.rows.length > 20;
  const options = [boxes[table.look], "tab(@)"].filter(Boolean).join(" ");
  const upright = table.look === "uprights" ? " | " : " ";
  const formats = table.rows.map((row, y) => {
    const cells = y > 0 && row.length < table.columns && coversBelow(table, y) ? ["^"] : [];
    for (const { across } of row) {
      const at = cells.length;
      cells.push(table.numbers[at] && across === 1 ? "r" : "l");
      for (let beside = 1; beside < across; beside += 1) cells.push("s");
    }
    return y < table.headRows
      ? cells.map((cell) => (cell === "s" ? cell : `${cell}b`)).join(upright)
      : cells.join(upright);
  });
  const rule = (y: number) => {
    if (table.look === "levels" || (table.look === "book" && y < table.headRows))
      return ["_"];
    return [];
  };
  const rows = placesOf(table, false).flatMap((cells, y) => {
    const spans = (table.rows[y] ?? []).flatMap(({ across }) => [
      false,
      ...Array.from({ length: across - 1 }, () => true),
    ]);
    const skipped = table.columns - spans.length;
    const kept = cells.filter((_, at) => !spans[at - skipped]);
    return [
      kept
        .map((text) => (text.length > 24 ? `T{\n${escaped(text)}\nT}` : escaped(text)))
        .join("@"),
      ...rule(y),
    ];
  });
  return `.TS${long ? " H" : ""}\n${options};\n${formats.join("\n")}.\n${rows.join("\n").replace(/\n/, long ? "\n.TH\n" : "\n")}\n.TE`;
}

/** Whether a cell of the first column above spans row `y`. */
function coversBelow(table: SourceTable, y: number): boolean {
  return table.rows.slice(0, y).some((row, above) => {
    const first = row[0];
    return first !== undefined && first.down > 1 && above + first.down - 1 >= y;
  });
}

const escaped = (text: string): string =>
  text
    .replaceAll("\\", "")
    .replace(/^([.'])/, "\\&$1")
    .replaceAll("-", "\\-")
    .replaceAll('"', "");
