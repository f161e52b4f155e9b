// `column-sums.wat` in binary form
const MODULE =
  "AGFzbQEAAAABBgFgAn9/AAMCAQAFAwEAAwcQAgZtZW1vcnkCAANhZGQAAAqsAwGpAwIHfwd7QYCACCECQYCABCEDA0AgAv0J" +
  "AgAhCSAC/QkCBCEKIAMhBCAEIAFqIQUgBSABaiEGIAYgAWohAyAFIQhBACEHA0AgBP0ABAAhCyAF/QAEACEMIAb9AAQAIQ0g" +
  "A/0ABAAhDiALIAz9DQgYCRkKGgsbDBwNHQ4eDx8hDyALIAz9DQAQARECEgMTBBQFFQYWBxchCyAPIQwgDSAO/Q0IGAkZChoL" +
  "GwwcDR0OHg8fIQ8gDSAO/Q0AEAERAhIDEwQUBRUGFgcXIQ0gDyEOIAcgB/0ABAAgC/2HASAJ/boBIA39hwEgCv26Af2uAf2u" +
  "Af0LBAAgByAH/QAEECAL/YgBIAn9ugEgDf2IASAK/boB/a4B/a4B/QsEECAHIAf9AAQgIAz9hwEgCf26ASAO/YcBIAr9ugH9" +
  "rgH9rgH9CwQgIAcgB/0ABDAgDP2IASAJ/boBIA79iAEgCv26Af2uAf2uAf0LBDAgB0HAAGohByAEQRBqIQQgBUEQaiEFIAZB" +
  "EGohBiADQRBqIQMgBCAISQ0ACyACQQhqIQIgAEEEayEAIABBAEoNAAsL";

export function moduleBytes(): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(MODULE, "base64"));
}

interface Kernel {
  memory: { buffer: ArrayBuffer };
  /** Adds `columns` of the second page, a multiple of four, to the sums. */
  add(columns: number, rows: number): void;
}
/** What the types of Node lack. */
interface Assembly {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: Kernel };
}
/** The pages of its memory: sums, columns, and what columns are multiplied by. */
const PAGE = 65_536;
/** Columns that are added at once. */
const GROUP = 4;

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
 * Returns what adds up columns of 8-bit numbers, each multiplied: 16 rows of four columns at once,
 * by WebAssembly.
 * @param rows of a column, a multiple of 16, at most 16,384.
 */
export function columnSums(rows: number) {
  const { Instance, Module } = (globalThis as unknown as { WebAssembly: Assembly })
    .WebAssembly;
  const { memory, add } = new Instance(new Module(moduleBytes())).exports;
  const most = Math.floor(PAGE / rows / GROUP) * GROUP;
  const sums = new Int32Array(memory.buffer, 0, rows);
  const taken = new Int8Array(memory.buffer, PAGE, most * rows);
  const factors = new Int16Array(memory.buffer, 2 * PAGE, most);

  /** Copies columns to where they are added, neighbours together. */
  function take(numbers: Int8Array, columns: Uint32Array): void {
    for (let from = 0; from < columns.length;) {
      const column = columns[from] ?? 0;
      let to = from + 1;
      while (to < columns.length && columns[to] === column + to - from) to += 1;
      const bytes = numbers.subarray(column * rows, (column + to - from) * rows);
      taken.set(bytes, from * rows);
      from = to;
    }
  }

  /** @param numbers column by column. @returns the sums, until the next call. */
  return (numbers: Int8Array, { columns, times }: Multipliers): Int32Array => {
    sums.fill(0);
    for (let from = 0; from < columns.length; from += most) {
      const some = columns.subarray(from, from + most);
      take(numbers, some);
      // what was there before counts nothing
      factors.fill(0);
      factors.set(times.subarray(from, from + most));
      add(some.length, rows);
    }
    return sums;
  };
}
