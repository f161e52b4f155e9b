import { lettersOf } from "./formula.ts";
import type { SourceBlock, SourceCell, SourceDocument, SourceTable } from "./document.ts";

/**
 * The expected Markdown of a document.
 * @param repeated whether the text of a merged cell is in every place that it covers, rather than
 * in the first one only; both are correct
 */
export function truthOf(document: SourceDocument, repeated: boolean): string {
  return `${document.blocks.map((block) => truthOfBlock(block, repeated)).join("\n\n")}\n`;
}

function truthOfBlock(block: SourceBlock, repeated: boolean): string {
  switch (block.type) {
    case "title":
      return `# ${block.text}`;
    case "heading":
      return `${"#".repeat(block.level)} ${headingText(block)}`;
    case "paragraph":
    case "caption":
      return block.text;
    case "formula": {
      const { before, after } = block.within ?? { before: "", after: "" };
      return `${before} ${lettersOf(block.formula)} ${after}`.trim();
    }
    case "list":
      return block.items
        .flatMap(({ text, items }, at) => [
          `${block.ordered ? `${at + 1}.` : "-"} ${text}`,
          ...items.map((item) => `    - ${item}`),
        ])
        .join("\n");
    case "table":
      return truthOfTable(block.table, repeated);
    case "columns":
      return block.columns
        .flat()
        .map((each) => truthOfBlock(each, repeated))
        .join("\n\n");
    case "fields":
      return block.fields.map(({ label, value }) => `${label} ${value}`).join("\n\n");
    case "notes":
      return block.notes.map((note, at) => `${at + 1} ${note}`).join("\n\n");
  }
}

export function headingText({ number, text }: { number?: string; text: string }): string {
  return number === undefined ? text : `${number} ${text}`;
}

/** The text of a cell. Markdown has no nested tables: one in a cell becomes text of the cell. */
function textOfCell({ text, table }: SourceCell): string {
  const inner = table?.rows.flat().map(textOfCell) ?? [];
  return [text, ...inner].filter(Boolean).join(" ");
}

/** Rows with as many cells as there are columns. */
export function placesOf(table: SourceTable, repeated: boolean): string[][] {
  const places = table.rows.map(() =>
    Array.from({ length: table.columns }, (): string | undefined => undefined),
  );
  for (const [y, row] of table.rows.entries()) {
    for (const cell of row) {
      const { across, down } = cell;
      const text = textOfCell(cell);
      const x = places[y]?.indexOf(undefined) ?? 0;
      for (let below = 0; below < down; below += 1) {
        for (let beside = 0; beside < across; beside += 1) {
          const target = places[y + below];
          if (target) target[x + beside] = repeated || below + beside === 0 ? text : "";
        }
      }
    }
  }
  return places.map((row) => row.map((text) => text ?? ""));
}

function truthOfTable(table: SourceTable, repeated: boolean): string {
  const [head = [], ...rows] = placesOf(table, repeated);
  const line = (cells: readonly string[]) =>
    `| ${cells.map((text) => text.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), `|${head.map(() => " --- ").join("|")}|`, ...rows.map(line)].join(
    "\n",
  );
}
