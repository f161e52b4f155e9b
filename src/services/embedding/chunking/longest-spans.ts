import type { Span } from "./fit.ts";

/** The longest spans of some characters within a part of a text. */
export interface Longest {
  first: Span;
  /** All spans with the same text as the first. */
  all(): Span[];
}

/**
 * Finds the spans of some characters in a text once, so that a text whose spans all differ in
 * length is not read again for each of them.
 * @returns a function that finds the longest spans within a part that neither begins nor ends
 * within a span; undefined for none
 */
export function findSpans(
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
  const lengthOf = (span: number) => (ends[span] ?? 0) - (starts[span] ?? 0);
  // a segment tree whose nodes hold the first of the longest spans below them
  const tree = new Int32Array(2 * count);
  const better = (one: number, other: number) => {
    const [first, second] = one < other ? [one, other] : [other, one];
    return lengthOf(second) > lengthOf(first) ? second : first;
  };
  for (let span = 0; span < count; span += 1) tree[count + span] = span;
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
  const spanOf = (span: number) => ({ start: starts[span] ?? 0, end: ends[span] ?? 0 });
  const allLike = (first: number, to: number): Span[] => {
    const alike = text.slice(starts[first], ends[first]);
    const found: Span[] = [];
    for (
      let span = first;
      lengthOf(span) === alike.length;
      span = firstLongest(span + 1, to)
    ) {
      if (text.startsWith(alike, starts[span])) found.push(spanOf(span));
      if (span + 1 >= to) break;
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
