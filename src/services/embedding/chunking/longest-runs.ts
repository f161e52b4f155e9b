import type { Span } from "./fit.ts";

/** The longest runs within a part of a text. */
export interface Longest {
  first: Span;
  /** All runs with the same text as the first. */
  all(): Span[];
}

/**
 * Finds the runs of some characters in a text once, so that a text whose runs all differ in length
 * is not read again for each of them.
 * @returns a function that finds the longest runs within a part that neither begins nor ends within
 * a run; undefined for none
 */
export function findRuns(
  text: string,
  { start, end }: Span,
  isMember: (unit: number) => boolean,
): (part: Span) => Longest | undefined {
  const starts: number[] = [];
  const ends: number[] = [];
  for (let at = start; at < end; at += 1) {
    if (!isMember(text.charCodeAt(at))) continue;
    starts.push(at);
    while (at < end && isMember(text.charCodeAt(at))) at += 1;
    ends.push(at);
  }
  const count = starts.length;
  const lengthOf = (run: number) => (ends[run] ?? 0) - (starts[run] ?? 0);
  // a segment tree whose nodes hold the first of the longest runs below them
  const tree = new Int32Array(2 * count);
  const better = (one: number, other: number) => {
    const [first, second] = one < other ? [one, other] : [other, one];
    return lengthOf(second) > lengthOf(first) ? second : first;
  };
  for (let run = 0; run < count; run += 1) tree[count + run] = run;
  for (let node = count - 1; node > 0; node -= 1)
    tree[node] = better(tree[2 * node] ?? 0, tree[2 * node + 1] ?? 0);

  const firstLongest = (from: number, to: number): number => {
    let best = from;
    for (let low = from + count, high = to + count; low < high; low >>= 1, high >>= 1) {
      if (low & 1) best = better(best, tree[low++] ?? best);
      if (high & 1) best = better(best, tree[--high] ?? best);
    }
    return best;
  };
  const spanOf = (run: number) => ({ start: starts[run] ?? 0, end: ends[run] ?? 0 });
  const allLike = (first: number, to: number): Span[] => {
    const alike = text.slice(starts[first], ends[first]);
    const found: Span[] = [];
    for (let run = first; lengthOf(run) === alike.length; run = firstLongest(run + 1, to)) {
      if (text.startsWith(alike, starts[run])) found.push(spanOf(run));
      if (run + 1 >= to) break;
    }
    return found;
  };
  return (part) => {
    const from = firstNotBelow(starts, part.start);
    const to = firstNotBelow(starts, part.end);
    if (from >= to) return undefined;
    const first = firstLongest(from, to);
    return { first: spanOf(first), all: () => allLike(first, to) };
  };
}

/** The index of the first value that is at least `least`, in a sorted array. */
function firstNotBelow(values: readonly number[], least: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? Infinity) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
