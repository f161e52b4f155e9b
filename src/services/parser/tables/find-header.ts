/** The names of a table's columns, and the row that holds them. */
export interface Header {
  /** Where its row stands, from 0; -1 where no row names the columns. */
  at: number;
  names: string[];
  /** What stands above it, such as a title. */
  above: string[];
}

export type Row = readonly (string | null)[];

const MAX_NAME_CHARACTERS = 120;
const NUMBER_OR_DATE = /^[-+]?[€$£¥]?\s?\d[\d.,:/\-\s'’]*(?:[€$£¥%]|Z)?$/;
const YEAR = /^(?:19|20)\d\d$/;

/**
 * Finds the row that names the columns: the first that is about as wide as the table, if it holds
 * words. A table whose first row has numbers has no names, unless these are years.
 * @param rows the first rows of the table.
 */
export function findHeader(rows: readonly Row[]): Header {
  const width = Math.max(0, ...rows.map((row) => row.length));
  const most = Math.max(0, ...rows.map(countFilled));
  const at = rows.findIndex((row) => countFilled(row) >= Math.max(1, Math.ceil(most / 2)));
  const row = rows[at];
  const isHeader = row !== undefined && namesColumns(row) && rows.length > at + 1;
  const names = isHeader ? row : [];
  const above = rows.slice(0, Math.max(0, at)).flatMap((one) => {
    const text = one
      .filter((cell) => cell !== null)
      .join(" ")
      .trim();
    return text === "" ? [] : [text];
  });
  return {
    at: isHeader ? at : at - 1,
    names: uniqueNames(Array.from({ length: width }, (_, column) => names[column] ?? null)),
    above,
  };
}

function countFilled(row: Row): number {
  return row.filter((cell) => cell !== null && cell.trim() !== "").length;
}

function namesColumns(row: Row): boolean {
  const filled = row.filter((cell) => cell !== null).map((cell) => cell.trim());
  const numbers = filled.filter((cell) => NUMBER_OR_DATE.test(cell));
  if (numbers.length === 0) return true;
  const [first = ""] = filled;
  const years = numbers.filter((cell) => YEAR.test(cell));
  return (
    !NUMBER_OR_DATE.test(first) &&
    years.length === numbers.length &&
    new Set(years).size === years.length
  );
}

/** Names that can be written between quotes, each once: SQL takes "a" and "A" for the same. */
export function uniqueNames(names: readonly (string | null)[]): string[] {
  const taken = new Set<string>();
  return names.map((name, column) => {
    const plain =
      (name ?? "")
        .replace(/[\p{C}\s]+/gu, " ")
        .replaceAll('"', "'")
        .trim()
        .slice(0, MAX_NAME_CHARACTERS)
        .toWellFormed()
        .trim() || `column ${column + 1}`;
    let unique = plain;
    for (let number = 2; taken.has(unique.toLowerCase()); number += 1)
      unique = `${plain} ${number}`;
    taken.add(unique.toLowerCase());
    return unique;
  });
}
