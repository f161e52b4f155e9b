import type { Archive } from "../archive.ts";
import { attributeOf, childOf, elementsOf, readXmlTree } from "../xml-tree.ts";

export type NumberKind = "number" | "date" | "time" | "datetime" | "percent";

export interface Formats {
  /** The kind of a cell's number by its style. */
  kindOf(style: number): NumberKind;
  date1904: boolean;
}

/** The kinds of the built-in formats. Source: ECMA-376 part 1, 18.8.30. */
export function builtInKind(id: number): NumberKind | undefined {
  if (id === 9 || id === 10) return "percent";
  if (
    (id >= 14 && id <= 17) ||
    (id >= 27 && id <= 31) ||
    id === 36 ||
    (id >= 50 && id <= 58)
  )
    return "date";
  if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || (id >= 45 && id <= 47))
    return "time";
  return id === 22 ? "datetime" : undefined;
}

/** Whether a format code displays a date, a time, a percentage or a plain number. */
export function kindOfCode(code: string): NumberKind {
  const bare = code
    .slice(0, 500)
    .replace(/"[^"]*"|\\.|_.|\*./g, "")
    .replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, "");
  if (/%/.test(bare)) return "percent";
  if (/general/i.test(bare)) return "number";
  const day = /[yd]|mmm/i.test(bare) || (/m/i.test(bare) && !/[hs]/i.test(bare));
  const time = /[hs]/i.test(bare);
  if (day && time) return "datetime";
  return day ? "date" : time ? "time" : "number";
}

export async function formatsOf(
  archive: Archive,
  path: string | undefined,
  date1904: boolean,
): Promise<Formats> {
  if (!path || !archive.has(path)) return { kindOf: () => "number", date1904 };
  const sheet = elementsOf(await readXmlTree(archive.text(path)))[0];
  const codes = new Map(
    elementsOf(childOf(sheet, "numFmts"), "numFmt").map((format) => [
      Number(attributeOf(format, "numFmtId")),
      attributeOf(format, "formatCode") ?? "",
    ]),
  );
  const kinds = elementsOf(childOf(sheet, "cellXfs"), "xf").map((cell): NumberKind => {
    const id = Number(attributeOf(cell, "numFmtId"));
    const code = codes.get(id);
    return code === undefined ? (builtInKind(id) ?? "number") : kindOfCode(code);
  });
  return { kindOf: (style) => kinds[style] ?? "number", date1904 };
}

const DAY = 86_400_000;

/**
 * Formats a number: dates as ISO 8601, percentages with their sign, and all digits except binary
 * noise.
 */
export function formatValue(value: number, kind: NumberKind, date1904: boolean): string {
  if (!Number.isFinite(value)) return "";
  if (kind === "percent") return `${Number((value * 100).toPrecision(6))}%`;
  if (kind === "number" || value < 0 || value > 2_958_466) return plain(value);
  if (kind === "time" && value < 1) return clock(value);
  // Excel's calendar has a 29 February 1900, which never existed
  const days = value + (date1904 ? 1_462 : 0) - (!date1904 && value >= 60 ? 1 : 0);
  const moment = new Date(Date.UTC(1899, 11, 31) + Math.round(days * 86_400) * 1_000);
  const day = moment.toISOString().slice(0, 10);
  return moment.getTime() % DAY === 0 && kind !== "datetime"
    ? day
    : `${day} ${moment.toISOString().slice(11, 19)}`.replace(/ 00:00:00$/, "");
}

function clock(value: number): string {
  return new Date(Math.round(value * 86_400) * 1_000).toISOString().slice(11, 19);
}

function plain(value: number): string {
  return String(Number(value.toPrecision(15)));
}
