/** Bytes of a file from `start` to `end`, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** At most 15 digits, which a number holds exactly. */
const ONE_RANGE = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i;

/**
 * Reads the header `Range` for a file of `size` bytes.
 * @returns `undefined` to send the whole file: for another unit, several ranges, or no valid range;
 * `"unsatisfiable"` for a range outside the file.
 * Source: RFC 9110, 14.1.2 and 14.2.
 */
export function readByteRange(
  header: string | null,
  size: number,
): ByteRange | "unsatisfiable" | undefined {
  const [, first, last] = ONE_RANGE.exec(header ?? "") ?? [];
  if (first === undefined || last === undefined || first + last === "") return undefined;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return undefined;
  if (start >= size) return "unsatisfiable";
  return { start, end: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
}
