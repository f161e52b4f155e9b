import type { Archive } from "../archive.ts";
import { type ListMarker, listMarker, numberAs } from "../list-labels.ts";
import {
  type Element,
  attributeOf,
  childOf,
  elementsOf,
  readXmlTree,
} from "../xml-tree.ts";

interface Level {
  format: string;
  text: string;
  start: number;
  /** Whether its label shows the numbers of all levels in digits. */
  isLegal: boolean;
  /** The number of levels above that restart it; 0 for a level that only goes on. */
  restart: number | undefined;
}

export interface Numbering {
  /**
   * The marker of the next paragraph of a list at a level (from 0), with its whole label; undefined
   * when it shows none.
   */
  next(list: string, level: number): (ListMarker & { whole: string }) | undefined;
}

const BULLET = { marker: "-", label: "", whole: "" };

/** Reads the definitions of lists, and counts their items. Source: ECMA-376 part 1, 17.9. */
export async function readNumbering(
  archive: Archive,
  path: string | undefined,
): Promise<Numbering> {
  if (!path || !archive.has(path)) return { next: () => BULLET };
  const root = childOf(await readXmlTree(archive.text(path)), "numbering");
  const abstracts = levelsById(elementsOf(root, "abstractNum"));
  const lists = new Map<string, { levels: Map<number, Level>; counters: number[] }>();
  const shared = new Map<string, number[]>();
  for (const num of elementsOf(root, "num")) {
    const abstract = attributeOf(childOf(num, "abstractNumId"), "val") ?? "";
    const overrides = elementsOf(num, "lvlOverride");
    const levels = new Map(abstracts.get(abstract));
    for (const override of overrides) applyOverride(levels, override);
    // lists with the same definition continue their numbering, unless one restarts it
    const restarts = overrides.some((override) => childOf(override, "startOverride"));
    const counters = restarts ? [] : (shared.get(abstract) ?? []);
    if (!restarts) shared.set(abstract, counters);
    lists.set(attributeOf(num, "numId") ?? "", { levels, counters });
  }
  return {
    next(id, depth) {
      const list = lists.get(id);
      const level = list?.levels.get(depth);
      if (!list || !level) return list || id === "0" ? undefined : BULLET;
      count(list, depth);
      if (level.format === "bullet") return BULLET;
      if (level.format === "none" && !level.text.includes("%")) return undefined;
      const whole = labelOf(level, list);
      return { ...listMarker(whole), whole };
    },
  };
}

/** Advances the counter of a level, and restarts the levels below it. */
function count(
  { levels, counters }: { levels: Map<number, Level>; counters: number[] },
  depth: number,
): void {
  for (let above = 0; above < depth; above += 1)
    counters[above] ??= levels.get(above)?.start ?? 1;
  counters[depth] = (counters[depth] ?? (levels.get(depth)?.start ?? 1) - 1) + 1;
  for (let below = depth + 1; below < counters.length; below += 1)
    if (depth < (levels.get(below)?.restart ?? below)) delete counters[below];
}

function labelOf(
  level: Level,
  { levels, counters }: { levels: Map<number, Level>; counters: number[] },
): string {
  return level.text.replace(/%([1-9])/g, (_, digit: string) => {
    const at = Number(digit) - 1;
    const format = level.isLegal ? "decimal" : (levels.get(at)?.format ?? "decimal");
    return numberAs(counters[at] ?? 1, format);
  });
}

/** The levels of each definition; one that refers to a style has those that the style names. */
function levelsById(abstracts: readonly Element[]): Map<string, Map<number, Level>> {
  const byStyle = new Map(
    abstracts.map((element) => [
      attributeOf(childOf(element, "styleLink"), "val"),
      element,
    ]),
  );
  return new Map(
    abstracts.map((element) => {
      const link = attributeOf(childOf(element, "numStyleLink"), "val");
      const linked = link === undefined ? undefined : byStyle.get(link);
      return [attributeOf(element, "abstractNumId") ?? "", readLevels(linked ?? element)];
    }),
  );
}

function readLevels(element: Element): Map<number, Level> {
  return new Map(
    elementsOf(element, "lvl").map((level) => [
      Number(attributeOf(level, "ilvl") ?? 0),
      readLevel(level),
    ]),
  );
}

function readLevel(level: Element): Level {
  const start = Number(attributeOf(childOf(level, "start"), "val") ?? 1);
  const legal = childOf(level, "isLgl");
  const restart = attributeOf(childOf(level, "lvlRestart"), "val");
  return {
    format: formatOf(childOf(level, "numFmt"), level),
    text: attributeOf(childOf(level, "lvlText"), "val") ?? "",
    start: Number.isFinite(start) ? start : 1,
    isLegal:
      legal !== undefined && !/^(?:0|false|off)$/.test(attributeOf(legal, "val") ?? ""),
    restart: restart === undefined ? undefined : Number(restart),
  };
}

/** The format of a level's numbers. Newer ones have an older one beside them. */
function formatOf(own: Element | undefined, level: Element): string {
  const newer = childOf(level, "AlternateContent", "Choice", "numFmt");
  const format = attributeOf(own, "val") ?? attributeOf(newer, "val") ?? "decimal";
  // "001, 002, 003, …" has as many digits as its first number
  if (format !== "custom") return format;
  return /^0+1/.test(attributeOf(own ?? newer, "format") ?? "") ? "decimalZero" : "decimal";
}

function applyOverride(levels: Map<number, Level>, override: Element): void {
  const at = Number(attributeOf(override, "ilvl") ?? 0);
  const own = childOf(override, "lvl");
  const level = own ? readLevel(own) : levels.get(at);
  const start = attributeOf(childOf(override, "startOverride"), "val");
  if (level)
    levels.set(at, start === undefined ? level : { ...level, start: Number(start) });
}
