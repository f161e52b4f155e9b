/** Items or rows of a part: parts of which nothing changed are not rendered again. */
const PART_LENGTH = 40;

export function inParts<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / PART_LENGTH) }, (_, at) =>
    all.slice(at * PART_LENGTH, (at + 1) * PART_LENGTH),
  );
}

export function isSamePart<T>(
  a: { part: readonly T[] },
  b: { part: readonly T[] },
): boolean {
  return a.part.length === b.part.length && a.part.every((one, at) => one === b.part[at]);
}
