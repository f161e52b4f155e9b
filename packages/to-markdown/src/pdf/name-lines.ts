import { median } from "./geometry.ts";
import { stepBetween } from "./band-rows.ts";
import { type Segment, textOf } from "./layout.ts";

type Band = readonly Segment[];

/** So many rows in lower case, as a share, show that these begin as the names of rows do. */
const MAX_LOWER = 0.3;
/** The lines of a name stand no farther from each other than rows, within this share. */
const STEP = 1.1;
/** A cell that ends like this names what follows. */
const OPENS = /[:.;!?]$/;

/**
 * Joins lines of names in the first column with the row that they lead to: its name goes on in
 * lower case, and its values stand beside the last line.
 */
export function withNamesAbove(bands: readonly Band[], starts: readonly number[]): Band[] {
  const steps = bands.slice(1).map((band, at) => stepBetween(bands[at] ?? [], band));
  const usual = median(steps);
  const rows = bands.filter((band) => band.length > 1);
  const lower = rows.filter((band) => isLower(firstOf(band)));
  if (lower.length > rows.length * MAX_LOWER) return [...bands];
  const joined: Band[] = [];
  let open: Segment[] = [];
  for (const [at, band] of bands.entries()) {
    const [name] = band;
    const next = bands[at + 1];
    const leads =
      name !== undefined &&
      next !== undefined &&
      band.length === 1 &&
      name.left < (starts[1] ?? 0) &&
      name.right < Math.max(...bands.map((row) => firstOf(row)?.right ?? 0)) + 1 &&
      !OPENS.test(textOf(name)) &&
      next.length > 1 &&
      isLower(firstOf(next)) &&
      isBold(name) === isBold(firstOf(next)) &&
      (steps[at] ?? 0) <= usual * STEP;
    if (leads) open.push(name);
    else {
      joined.push([...open, ...band]);
      open = [];
    }
  }
  return joined;
}

const firstOf = (band: Band): Segment | undefined =>
  band.reduce<Segment | undefined>(
    (first, piece) => (first && first.left <= piece.left ? first : piece),
    undefined,
  );

const isLower = (piece: Segment | undefined): boolean =>
  /^\p{Ll}/u.test(piece?.words[0]?.text ?? "");

const isBold = (piece: Segment | undefined): boolean =>
  piece?.words.every(({ style }) => style.bold) ?? false;
