/** A line of a file of comma-separated values (RFC 4180), without its end. */
export function csvLine(cells: readonly unknown[]): string {
  return cells.map(toCell).join(",");
}

function toCell(value: unknown): string {
  const text =
    typeof value === "string" ? value : value === null ? "" : JSON.stringify(value);
  // the apostrophe keeps spreadsheets from running the cell as a formula
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
