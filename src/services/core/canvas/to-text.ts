import type { Block, TextRun } from "./blocks.ts";

/** Renders plain text without markup. Lists and tables stay recognizable. */
export function toText(blocks: readonly Block[]): string {
  return `${blocks.map((one) => text(one, "")).join("\n\n")}\n`;
}

function text(one: Block, indent: string): string {
  switch (one.kind) {
    case "heading":
    case "paragraph":
      return indent + plain(one.runs).replaceAll("\n", `\n${indent}`);
    case "list":
      return one.items
        .map(({ checked, blocks }, index) => {
          const mark = toMark(one, checked, index);
          const inner = blocks.map((inside) => text(inside, `${indent}  `)).join("\n");
          return `${indent}${mark} ${inner.trimStart()}`;
        })
        .join("\n");
    case "table": {
      const rows = [one.header, ...one.rows].map((cells) => cells.map(plain));
      const widths = (rows[0] ?? []).map((_, column) =>
        Math.max(...rows.map((cells) => (cells[column] ?? "").length)),
      );
      return rows
        .map(
          (cells) =>
            indent +
            cells
              .map((cell, column) => cell.padEnd(widths[column] ?? 0))
              .join("  ")
              .trimEnd(),
        )
        .join("\n");
    }
    case "code":
      return indent + one.text.replaceAll("\n", `\n${indent}`);
    case "quote":
      return one.blocks.map((inside) => text(inside, `${indent}> `)).join("\n");
    case "rule":
      return `${indent}${"-".repeat(20)}`;
  }
}

export function plain(runs: readonly TextRun[]): string {
  return runs.map(({ text: words }) => words).join("");
}

function toMark(
  { ordered, start }: Extract<Block, { kind: "list" }>,
  checked: boolean | undefined,
  index: number,
): string {
  if (checked !== undefined) return checked ? "[x]" : "[ ]";
  return ordered ? `${start + index}.` : "-";
}
