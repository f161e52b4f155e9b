import { holds, middleX, middleY } from "./geometry.ts";
import type { Segment, Table } from "./layout.ts";
import type { TurnedLine, TurnedText } from "./turned-text.ts";
import { writePlain } from "./write-inline.ts";

/** The names of columns begin so near to the upper edge of their table, in type sizes. */
const ABOVE = 2;
const BELOW = 1.5;
/** Names reach out of their column so far, in points. */
const SLACK = 3;
const MIN_NAMES = 2;
/** A line is upright if it runs this many times farther down or up than across. */
const STEEP = 4;
/** … and is level, as tilted text of a scan is, if it runs less than this. */
const LEVEL = 0.3;

interface Named {
  table: Table;
  /** The rotated texts and the lines of the page that are no part of the table. */
  turned: TurnedText[];
  rest: Segment[];
}

/** Whether a line of rotated text runs straight up or down. */
export const isUpright = ({ first, last }: TurnedLine): boolean =>
  Math.abs(middleY(first) - middleY(last)) >
  STEEP * Math.abs(middleX(first) - middleX(last));

/** Rotated texts without the lines that stand in cells of these grids. */
export const withoutCells = (
  texts: readonly TurnedText[],
  grids: readonly Table[],
): TurnedText[] =>
  texts.filter(
    ({ lines }) =>
      !lines.every((line) => isUpright(line) && grids.some((grid) => holds(grid, line))),
  );

/**
 * A table with the names of its columns that are set upright or aslant, in the empty cells of its
 * first row or above it, there with the level names beside them.
 */
export function withTurnedNames(
  table: Table,
  turned: readonly TurnedText[],
  lines: readonly Segment[],
): Named {
  const found = turned.filter((text) => text.lines.every((line) => isAtHead(line, table)));
  const names = namesOf(found, table);
  const none = { table, turned: [...turned], rest: [...lines] };
  if (names.filter((name) => name !== "").length < MIN_NAMES) return none;
  const others = turned.filter((text) => !found.includes(text));
  const top = Math.min(table.top, ...found.map((text) => text.top));
  const [head = [], ...rows] = table.rows;
  if (names.every((name, at) => name === "" || head[at] === "")) {
    const whole = head.map((cell, at) => cell || (names[at] ?? ""));
    return { ...none, table: { ...table, top, rows: [whole, ...rows] }, turned: others };
  }
  const foot = Math.max(...found.flatMap((text) => text.lines.map(lowest)));
  if (foot > table.top + SLACK) return none;
  const level = lines.filter(
    (line) =>
      Math.abs(line.baseline - foot) < line.size / 2 &&
      line.left >= table.left - SLACK &&
      names[columnAt(line.left, table)] === "",
  );
  for (const line of level) names[columnAt(line.left, table)] = writePlain([line]);
  const rest = lines.filter((line) => !level.includes(line));
  return { table: { ...table, top, rows: [names, ...table.rows] }, turned: others, rest };
}

/** What stands at the head of each column. */
function namesOf(texts: readonly TurnedText[], table: Table): string[] {
  const names = table.columns.map((): string[] => []);
  for (const line of texts.flatMap(({ lines }) => lines))
    names[columnAt(footOf(line), table)]?.push(line.text);
  return names.map((lines) => lines.join(" "));
}

/** Whether a line ends, with the letter that is lowest, at the head of one of the columns. */
function isAtHead(line: TurnedLine, table: Table): boolean {
  const { first, last, size } = line;
  const rise = Math.abs(middleY(first) - middleY(last));
  return (
    rise > LEVEL * Math.abs(middleX(first) - middleX(last)) &&
    line.top < table.top + SLACK &&
    lowest(line) > table.top - ABOVE * size &&
    lowest(line) < table.top + BELOW * size &&
    footOf(line) > table.left - SLACK &&
    footOf(line) < table.right + SLACK
  );
}

const lowest = ({ first, last }: TurnedLine): number => Math.max(first.bottom, last.bottom);

/** Where, across the page, the lowest letter of a line is. */
const footOf = ({ first, last }: TurnedLine): number =>
  middleX(first.bottom > last.bottom ? first : last);

const columnAt = (x: number, { columns }: Table): number =>
  Math.max(
    0,
    columns.findLastIndex((start) => start <= x + SLACK / 2),
  );
