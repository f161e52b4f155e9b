import { format } from "numfmt";
import type { Archive } from "../archive.ts";
import { attributeOf, childOf, elementsOf, readXmlTree } from "../xml-tree.ts";

export type NumberKind = "number" | "date" | "time" | "datetime" | "duration" | "percent";

export interface Formats {
  /** The kind of a cell's number by its style. */
  kindOf(style: number): NumberKind;
  /** The format code of a cell's number by its style, of those that the file defines. */
  codeOf(style: number): string | undefined;
  date1904: boolean;
}

/** The kinds of the built-in formats. Source: ECMA-376 part 1, 18.8.30. */
export function builtInKind(id: number): NumberKind | undefined {
  if (id === 9 || id === 10) return "percent";
  if (id === 46) return "duration";
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
  if (/\[(?:h+|m+|s+)\]/i.test(bare)) return "duration";
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
  if (!path || !archive.has(path))
    return { kindOf: () => "number", codeOf: () => undefined, date1904 };
  const sheet = elementsOf(await readXmlTree(archive.text(path)))[0];
  const codes = new Map(
    elementsOf(childOf(sheet, "numFmts"), "numFmt").map((format) => [
      Number(attributeOf(format, "numFmtId")),
      attributeOf(format, "formatCode") ?? "",
    ]),
  );
  const styles = elementsOf(childOf(sheet, "cellXfs"), "xf").map((cell) => {
    const id = Number(attributeOf(cell, "numFmtId"));
    const code = codes.get(id);
    const kind = code === undefined ? (builtInKind(id) ?? "number") : kindOfCode(code);
    return { kind, code };
  });
  return {
    kindOf: (style) => styles[style]?.kind ?? "number",
    codeOf: (style) => styles[style]?.code,
    date1904,
  };
}

const DAY = 86_400_000;

const MAX_CODE_LENGTH = 255;

/** Formats the number of a cell as its style shows it. */
export function formatCell(value: number, style: number, formats: Formats): string {
  const kind = formats.kindOf(style);
  const code = formats.codeOf(style);
  return (
    (kind === "number" && code !== undefined && showWithText(value, code)) ||
    formatValue(value, kind, formats.date1904, fractionDigits(code))
  );
}

/**
 * Shows a number in a format that adds to its digits: leading zeros, signs, a currency, a unit.
 * @returns undefined for other formats, of which only digits would be lost.
 */
function showWithText(value: number, code: string): string | undefined {
  if (code.length > MAX_CODE_LENGTH || !addsText(code)) return undefined;
  try {
    // the decimal point is the same in all cells, whatever country a currency belongs to
    const neutral = code.replace(/(\[\$[^[\]-]*)-[^[\]]*\]/g, "$1]");
    return format(neutral, value, { throws: true }).trim();
  } catch {
    return undefined;
  }
}

function addsText(code: string): boolean {
  const sections = code.replace(/_.|\*./g, "").split(";");
  const [first = ""] = sections;
  return (
    /^[^.]*00/.test(first) ||
    /[#0?]-[#0?]|\(/.test(first) ||
    sections.some((section) => /["\\]|\[\$|[€£¥₩₹$]/.test(section))
  );
}

/** The digits of a second that a format displays, as of lap times. */
function fractionDigits(code: string | undefined): number {
  return /s\]?\.(0{1,3})/i.exec(code ?? "")?.[1]?.length ?? 0;
}

/**
 * Formats a number: dates as ISO 8601, percentages with their sign, and all digits except binary
 * noise.
 */
function formatValue(
  value: number,
  kind: NumberKind,
  date1904: boolean,
  fraction = 0,
): string {
  if (!Number.isFinite(value)) return "";
  if (kind === "percent") return percent(value);
  if (kind === "duration") return duration(value, fraction);
  if (kind === "number" || value < 0 || value > 2_958_466) return plain(value);
  // a time of several days is shown as the clock of the last
  if (kind === "time") return duration(value % 1, fraction);
  // Excel's calendar has a 29 February 1900, which never existed; the other one has not, and
  // starts 1,461 days after 31 December 1899
  const days = value + (date1904 ? 1_461 : 0) - (!date1904 && value >= 60 ? 1 : 0);
  const moment = new Date(Date.UTC(1899, 11, 31) + Math.round(days * 86_400) * 1_000);
  const day = moment.toISOString().slice(0, 10);
  return moment.getTime() % DAY === 0 && kind !== "datetime"
    ? day
    : `${day} ${moment.toISOString().slice(11, 19)}`.replace(/ 00:00:00$/, "");
}

/** Six digits, and beyond them all before the point and four behind it. */
function percent(value: number): string {
  const hundredths = value * 100;
  const rounded =
    Math.abs(hundredths) < 10 ? hundredths.toPrecision(6) : hundredths.toFixed(4);
  return `${plain(Number(rounded))}%`;
}

/** Elapsed hours, which may be more than a day's: 1.5 is 36:00:00. */
function duration(value: number, fraction: number): string {
  const unit = 10 ** fraction;
  const units = Math.round(Math.abs(value) * 86_400 * unit);
  const seconds = Math.floor(units / unit);
  const rest = fraction > 0 ? `.${String(units % unit).padStart(fraction, "0")}` : "";
  const two = (part: number) => String(part % 60).padStart(2, "0");
  const hours = String(Math.floor(seconds / 3_600)).padStart(2, "0");
  return `${value < 0 ? "-" : ""}${hours}:${two(Math.floor(seconds / 60))}:${two(seconds)}${rest}`;
}

/** All digits of an integer that a double holds exactly; else the 15 that Excel keeps. */
function plain(value: number): string {
  return String(Number.isSafeInteger(value) ? value : Number(value.toPrecision(15)));
}
