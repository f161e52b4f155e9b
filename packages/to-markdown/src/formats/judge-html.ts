import type { Cell, Run } from "./blocks.ts";
import { isLayout } from "./lay-out-table.ts";
import { type Element, findIn, isElement } from "./xml-tree.ts";

/** Elements that a reader of the page does not see. */
export const IGNORED = new Set(
  "script style template noscript head iframe object embed applet select datalist canvas audio video map rp rt meta link base".split(
    " ",
  ),
);

/** Whether an element is invisible. Invisible text is meant for programs, often to mislead them. */
export function isHidden({ attributes }: Element): boolean {
  if ("hidden" in attributes) return true;
  const style = attributes["style"];
  return (
    style !== undefined &&
    /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?:px|pt|em)?\s*(?:;|$))/i.test(
      style,
    )
  );
}

/** Whether a table only arranges the page. A table with header cells never does. */
export function isLayoutTable(
  table: Element,
  rows: readonly Element[],
  cells: readonly Cell[][],
): boolean {
  if (/^(?:presentation|none)$/.test(table.attributes["role"] ?? "")) return true;
  if (
    rows.some((row) =>
      row.children.some((child) => typeof child === "object" && child.name === "th"),
    )
  )
    return false;
  if (isLayout(cells)) return true;
  const filled = rows.flatMap((row) =>
    row.children.filter(
      (child): child is Element => typeof child === "object" && child.children.length > 0,
    ),
  );
  const nested = filled.filter((cell) => findIn(cell, "table")).length;
  const crowded = cells.some((row) =>
    row.some(
      ({ blocks }) =>
        blocks.length > (blocks.some(({ kind }) => kind === "heading") ? 3 : 8),
    ),
  );
  return (nested > 0 && nested * 3 >= filled.length) || crowded;
}

export function spanOf(value: string | undefined): number {
  const span = Number.parseInt(value ?? "1", 10);
  return Number.isFinite(span) && span > 0 ? Math.min(span, 65_534) : 1;
}

/** Removes the white space that browsers do not show. Empty when nothing is left. */
export function tidied(runs: readonly Run[]): Run[] {
  const tidy: Run[] = [];
  let spaced = true;
  for (const run of runs) {
    let { text } = run;
    if (run.image === undefined && !run.raw) {
      if (spaced) text = text.replace(/^ +/, "");
      if (text === "") continue;
    }
    spaced = run.image === undefined && /\s$/.test(text);
    tidy.push({ ...run, text });
  }
  return tidy.some((run) => run.image !== undefined || run.text.trim() !== "") ? tidy : [];
}

/** The text of a code listing, with its line breaks. */
export function preText(element: Element): string {
  let text = "";
  for (const child of element.children) {
    if (!isElement(child)) text += child;
    else if (child.name === "br") text += "\n";
    else if (!IGNORED.has(child.name)) text += preText(child);
  }
  return text;
}
