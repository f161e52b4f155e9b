// `column-sums.wat` in binary form
const MODULE =
  "AGFzbQEAAAABCAFgBH9/f38AAwIBAAUDAQACBxACBm1lbW9yeQIAA2FkZAAACpQBAZEBAQN7IAP9ECEEA0AgAP0A" +
  "BAAhBSAF/YcBIQYgASAB/QAEACAGIAT9vAH9rgH9CwQAIAEgAf0ABBAgBiAE/b0B/a4B/QsEECAF/YgBIQYgASAB" +
  "/QAEICAGIAT9vAH9rgH9CwQgIAEgAf0ABDAgBiAE/b0B/a4B/QsEMCABQcAAaiEBIABBEGohACAAIAJJDQALCw==";

export function moduleBytes(): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(MODULE, "base64"));
}

interface Kernel {
  memory: { buffer: ArrayBuffer };
  add(column: number, sums: number, end: number, times: number): void;
}
/** What the types of Node lack. */
interface Assembly {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: Kernel };
}
/** The second page of its memory, behind the sums. */
const COLUMN_AT = 65_536;

/** Columns of a matrix, by their numbers, and what each is multiplied by: 12 bits with a sign. */
export interface Multipliers {
  columns: Uint32Array;
  times: Int16Array;
}

/** More times 8 bits times 2,000 columns would not fit into 32 bits. */
const MAX_TIMES = 2_047;

/** The columns of numbers that are not zero. They keep their proportions, not their size. */
export function toMultipliers(vector: ArrayLike<number>): Multipliers {
  const columns: number[] = [];
  let greatest = 0;
  for (let column = 0; column < vector.length; column += 1) {
    const size = Math.abs(vector[column] ?? 0);
    if (size > 0) columns.push(column);
    greatest = Math.max(greatest, size);
  }
  return {
    columns: Uint32Array.from(columns),
    times: Int16Array.from(columns, (column) =>
      Math.round(((vector[column] ?? 0) / greatest) * MAX_TIMES),
    ),
  };
}

/**
 * Returns what adds up columns of 8-bit numbers, each multiplied: 16 at once, by WebAssembly.
 * @param rows of a column, a multiple of 16, at most 16,384.
 */
export function columnSums(rows: number) {
  const { Instance, Module } = (globalThis as unknown as { WebAssembly: Assembly })
    .WebAssembly;
  const { memory, add } = new Instance(new Module(moduleBytes())).exports;
  const sums = new Int32Array(memory.buffer, 0, rows);
  const column = new Int8Array(memory.buffer, COLUMN_AT, rows);
  /** @param numbers column by column. @returns the sums, until the next call. */
  return (numbers: Int8Array, { columns, times }: Multipliers): Int32Array => {
    sums.fill(0);
    for (let n = 0; n < columns.length; n += 1) {
      const from = (columns[n] ?? 0) * rows;
      column.set(numbers.subarray(from, from + rows));
      add(COLUMN_AT, 0, COLUMN_AT + rows, times[n] ?? 0);
    }
    return sums;
  };
}
