/**
 * The first rows of a text with values between commas, semicolons or tabs (RFC 4180). The last row
 * may be cut, so it is left out of a text that goes on.
 */
export function readCsv(
  text: string,
  { maxRows, isWhole }: { maxRows: number; isWhole: boolean },
): string[][] {
  const separator = findSeparator(text);
  const rows: string[][] = [];
  let row: string[] = [];
  let value = "";
  let isQuoted = false;
  for (let at = 0; at < text.length && rows.length < maxRows; at += 1) {
    const character = text.charAt(at);
    if (isQuoted) {
      if (character !== '"') value += character;
      else if (text.charAt(at + 1) === '"') {
        value += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"' && value === "") isQuoted = true;
    else if (character === separator) {
      row.push(value);
      value = "";
    } else if (character === "\n") {
      rows.push([...row, value.replace(/\r$/, "")]);
      row = [];
      value = "";
    } else value += character;
  }
  const isLast = rows.length < maxRows && (row.length > 0 || value !== "");
  if (isLast && isWhole) rows.push([...row, value]);
  return rows;
}

/** The one that the first line has most. */
function findSeparator(text: string): string {
  const [first = ""] = text.split("\n", 1);
  const count = (separator: string) => first.split(separator).length;
  return [",", ";", "\t"].toSorted((one, other) => count(other) - count(one))[0] ?? ",";
}
