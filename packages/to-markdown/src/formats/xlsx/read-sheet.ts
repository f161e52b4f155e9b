import { raised } from "../blocks.ts";
import type { Archive } from "../archive.ts";
import { localName, readXml, STOP } from "../read-xml.ts";
import { formatCell, type Formats } from "./format-value.ts";
import type { Merge, SheetGrid } from "./grid-blocks.ts";

/**
 * Reads the cells of a sheet with content while the sheet is unpacked, without holding all of it.
 * @param most the maximum number of cells; the rest is left out, with a warning.
 * @param onRow takes each row with content, from 0, which is then not held.
 * Source: ECMA-376 part 1, 18.3.1.
 */
export async function readSheet(
  archive: Archive,
  path: string,
  strings: readonly string[],
  formats: Formats,
  most: number,
  onRow?: (row: number, cells: ReadonlyMap<number, string>) => void,
): Promise<SheetGrid> {
  const rows = new Map<number, Map<number, string>>();
  const merges: Merge[] = [];
  let count = 0;
  let cut = false;
  let row = -1;
  let column = -1;
  let cell = { type: "", style: 0, value: "", formula: "", isStored: false };
  let reading: "value" | "formula" | undefined;
  let uncalculated = 0;
  /** Whether the open run of a rich text is raised. */
  let isRaised = false;

  const take = () => {
    const isUncalculated = cell.formula !== "" && !cell.isStored;
    const text = isUncalculated ? `=${cell.formula}` : shown(cell, strings, formats);
    if (text.trim() === "") return;
    if (count >= most) {
      cut = true;
      throw STOP;
    }
    count += 1;
    if (isUncalculated) uncalculated += 1;
    const cells = rows.get(row) ?? new Map<number, string>();
    cells.set(column, text);
    rows.set(row, cells);
  };

  const giveRow = () => {
    const cells = rows.get(row);
    if (!onRow || !cells) return;
    onRow(row, cells);
    rows.delete(row);
  };

  await readXml(archive.text(path), {
    open(name, attributes) {
      const local = localName(name);
      if (local === "row") {
        row = attributes["r"] === undefined ? row + 1 : Number(attributes["r"]) - 1;
        column = -1;
      } else if (local === "c") {
        column = attributes["r"] === undefined ? column + 1 : columnOf(attributes["r"]);
        cell = {
          type: attributes["t"] ?? "n",
          style: Number(attributes["s"] ?? 0),
          value: "",
          formula: "",
          isStored: false,
        };
      } else if (local === "v" || local === "t") {
        reading = "value";
        cell.isStored = true;
      } else if (local === "f") reading = "formula";
      else if (local === "rPh") reading = undefined;
      else if (local === "r") isRaised = false;
      else if (local === "vertAlign") isRaised = attributes["val"] === "superscript";
      else if (local === "mergeCell" && merges.length < 100_000)
        merges.push(...mergeOf(attributes["ref"] ?? ""));
    },
    text(text) {
      if (reading) cell[reading] += isRaised ? raised(text) : text;
    },
    close(name) {
      reading = undefined;
      if (localName(name) === "r") isRaised = false;
      if (localName(name) === "c") take();
      if (localName(name) === "row") giveRow();
    },
  });
  return { rows, merges, count, cut, uncalculated };
}

function shown(
  { type, style, value }: { type: string; style: number; value: string },
  strings: readonly string[],
  formats: Formats,
): string {
  if (value === "") return "";
  if (type === "s") return strings[Number(value)] ?? "";
  if (type === "b") return value === "1" ? "TRUE" : "FALSE";
  if (type === "d") return value.replace(/T00:00:00(?:\.0+)?$/, "");
  if (type !== "n") return readEscapes(value);
  const number = Number(value);
  return Number.isFinite(number) ? formatCell(number, style, formats) : value;
}

/**
 * Reads the escapes of characters that XML cannot hold: `_x000D_`. Control characters other than
 * breaks and tabs are left out. Source: ECMA-376 part 1, 22.9.2.19.
 */
export function readEscapes(text: string): string {
  return text
    .replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => {
      const code = parseInt(hex, 16);
      return code >= 32 || code === 9 || code === 10 || code === 13
        ? String.fromCharCode(code)
        : "";
    })
    .toWellFormed();
}

/** Converts a column's letters: "BC12" is column 54, counted from 0. */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{1,3}/i.exec(reference)?.[0].toUpperCase() ?? "A")
    column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

function mergeOf(reference: string): Merge[] {
  const [from, to] = reference.split(":");
  const rowOf = (text: string) => Number(/\d{1,7}$/.exec(text)?.[0] ?? 1) - 1;
  return from && to
    ? [{ top: rowOf(from), left: columnOf(from), bottom: rowOf(to), right: columnOf(to) }]
    : [];
}
