export interface Piece {
  kind: "same" | "added" | "removed";
  text: string;
}

/** Beyond this many comparisons both texts are shown whole, the former one first. */
const MAX_COMPARISONS = 4_000_000;

/**
 * The shortest difference between two texts in whole words, by their longest common subsequence.
 */
export function compareWords(before: string, after: string): Piece[] {
  const [old, now] = [toWords(before), toWords(after)];
  if (old.length * now.length > MAX_COMPARISONS) {
    return join([
      { kind: "removed", text: before },
      { kind: "added", text: after },
    ]);
  }
  const common = commonLengths(old, now);
  const pieces: Piece[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [one, other] = [old[i], now[j]];
    if (one !== undefined && one === other) {
      pieces.push({ kind: "same", text: one });
      i += 1;
      j += 1;
    } else if (
      other === undefined ||
      (one !== undefined && isLonger(common, now.length, i, j))
    ) {
      pieces.push({ kind: "removed", text: one ?? "" });
      i += 1;
    } else {
      pieces.push({ kind: "added", text: other });
      j += 1;
    }
  }
  return join(pieces);
}

/**
 * Whether removing the word of the former text keeps a longer common subsequence than adding that
 * of the new one.
 */
function isLonger(common: Uint16Array, width: number, i: number, j: number): boolean {
  const at = (row: number, column: number) => common[row * (width + 1) + column] ?? 0;
  return at(i + 1, j) >= at(i, j + 1);
}

/** For each pair of suffixes, the number of words that they have in common. */
function commonLengths(old: readonly string[], now: readonly string[]): Uint16Array {
  const width = now.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        old[i] === now[j]
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
    }
  }
  return lengths;
}

const toWords = (text: string) => text.match(/\s+|[^\s]+/g) ?? [];

/** Joins neighbours of the same kind. */
function join(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last?.kind === piece.kind) last.text += piece.text;
    else if (piece.text !== "") joined.push({ ...piece });
  }
  return joined;
}
