import type { Fib } from "./read-fib.ts";

const LISTS = 73;
const OVERRIDES = 74;
const BULLET = 23;
const NO_NUMBER = 255;

/**
 * Whether a level of a list is numbered, by the list's number in the document; undefined when it
 * shows no marker. Source: [MS-DOC] 2.9.147, 2.9.131, 2.9.150.
 */
export function readLists(
  table: Buffer,
  fib: Fib,
): (list: number, level: number) => "number" | "sign" | undefined {
  const formats = new Map<number, number[]>();
  const { offset, length } = fib.place(LISTS);
  const ids: { id: number; simple: boolean }[] = [];
  const count = length >= 2 && offset + 2 <= table.length ? table.readUInt16LE(offset) : 0;
  for (
    let index = 0;
    index < count && offset + 30 + index * 28 <= table.length;
    index += 1
  ) {
    const at = offset + 2 + index * 28;
    ids.push({ id: table.readInt32LE(at), simple: ((table[at + 26] ?? 0) & 1) === 1 });
  }
  // all levels follow after the lists
  let at = offset + 2 + count * 28;
  for (const { id, simple } of ids) {
    const levels: number[] = [];
    for (let level = 0; level < (simple ? 1 : 9) && at + 28 <= table.length; level += 1) {
      levels.push(table[at + 4] ?? 0);
      at += 28 + (table[at + 24] ?? 0) + (table[at + 25] ?? 0);
      if (at + 2 > table.length) break;
      at += 2 + table.readUInt16LE(at) * 2;
    }
    formats.set(id, levels);
  }
  const overrides = fib.place(OVERRIDES);
  const lists: number[] = [];
  const most =
    overrides.length >= 4 && overrides.offset + 4 <= table.length
      ? table.readUInt32LE(overrides.offset)
      : 0;
  for (
    let index = 0;
    index < most && overrides.offset + 8 + index * 16 <= table.length;
    index += 1
  )
    lists.push(table.readInt32LE(overrides.offset + 4 + index * 16));
  return (list, level) => {
    const format = formats.get(lists[list - 1] ?? 0)?.[level];
    if (format === NO_NUMBER) return undefined;
    return format === undefined || format === BULLET ? "sign" : "number";
  };
}
