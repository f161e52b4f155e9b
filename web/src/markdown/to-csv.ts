import type { Rows } from "./chart-rows.ts";

/** Spreadsheets run a cell that begins so as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[+-]?[\d.,]+(?:[eE][+-]?\d+)?%?$/;

/** A table as CSV. A formula is kept as text: a model wrote it. Source: RFC 4180. */
export function toCsv(rows: Rows): string {
  return rows.map((row) => `${row.map(toField).join(",")}\r\n`).join("");
}

function toField(value: string): string {
  const text = FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A table for the clipboard: spreadsheets put each value in a cell of its own. */
export function toTabs(rows: Rows): string {
  return rows
    .map((row) => row.map((cell) => cell.replace(/[\t\r\n]+/g, " ")).join("\t"))
    .join("\n");
}
