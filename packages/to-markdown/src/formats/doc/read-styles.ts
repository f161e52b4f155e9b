import type { Fib } from "./read-fib.ts";

const STYLES = 1;
const TITLE = 62;
const NONE = 0xfff;

/** The heading levels of styles, of their own or inherited. Source: [MS-DOC] 2.9.260, 2.9.271. */
export function readStyleLevels(table: Buffer, fib: Fib): Map<number, number> {
  const levels = new Map<number, number>();
  const bases = new Map<number, number>();
  const { offset, length } = fib.place(STYLES);
  const sheet = table.subarray(offset, offset + length);
  if (sheet.length < 6) return levels;
  const count = sheet.readUInt16LE(2);
  let at = 2 + sheet.readUInt16LE(0);
  for (let style = 0; style < count && at + 2 <= sheet.length; style += 1) {
    const size = sheet.readUInt16LE(at);
    if (size >= 4 && at + 6 <= sheet.length) {
      const known = sheet.readUInt16LE(at + 2) & 0xfff;
      if (known >= 1 && known <= 9) levels.set(style, known);
      else if (known === TITLE) levels.set(style, 1);
      else bases.set(style, sheet.readUInt16LE(at + 4) >> 4);
    }
    at += 2 + size + (size & 1);
  }
  for (const style of bases.keys()) {
    let base = style;
    for (let steps = 0; steps < 12 && base !== NONE && !levels.has(base); steps += 1)
      base = bases.get(base) ?? NONE;
    const level = levels.get(base);
    if (level !== undefined) levels.set(style, level);
  }
  // the first nine styles are the headings, whatever a program calls them
  for (let style = 1; style <= 9; style += 1)
    if (!levels.has(style)) levels.set(style, style);
  // the first nine are the headings, whatever a program calls them
  for (let style = 1; style <= 9; style += 1)
    if (!levels.has(style)) levels.set(style, style);
  return levels;
}
