import type { Archive } from "../archive.ts";
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
}

export interface Numbering {
  /**
   * The marker of the next paragraph of a list at a level (from 0); undefined when it shows none.
   */
  next(list: string, level: number): { marker: string; label: string } | undefined;
}

/** Reads the definitions of lists, and counts their items. Source: ECMA-376 part 1, 17.9. */
export async function readNumbering(
  archive: Archive,
  path: string | undefined,
): Promise<Numbering> {
  if (!path || !archive.has(path)) return { next: () => ({ marker: "-", label: "" }) };
  const root = childOf(await readXmlTree(archive.text(path)), "numbering");
  const abstracts = new Map(
    elementsOf(root, "abstractNum").map((element) => [
      attributeOf(element, "abstractNumId") ?? "",
      readLevels(element),
    ]),
  );
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
      if (!list || !level)
        return list || id === "0" ? undefined : { marker: "-", label: "" };
      const { counters, levels } = list;
      for (let above = 0; above < depth; above += 1)
        counters[above] ??= levels.get(above)?.start ?? 1;
      counters[depth] = (counters[depth] ?? level.start - 1) + 1;
      counters.length = depth + 1;
      if (level.format === "bullet") return { marker: "-", label: "" };
      if (level.format === "none" && !level.text.includes("%")) return undefined;
      const label = level.text.replace(/%([1-9])/g, (_, digit: string) => {
        const at = Number(digit) - 1;
        return numberAs(counters[at] ?? 1, levels.get(at)?.format ?? "decimal");
      });
      const simple = /^\W*%\d\W*$/.test(level.text);
      return { marker: simple ? `${counters[depth]}.` : "-", label };
    },
  };
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
  return {
    format:
      attributeOf(childOf(level, "numFmt"), "val") ??
      attributeOf(childOf(level, "AlternateContent", "Choice", "numFmt"), "val") ??
      "decimal",
    text: attributeOf(childOf(level, "lvlText"), "val") ?? "",
    start: Number.isFinite(start) ? start : 1,
  };
}

function applyOverride(levels: Map<number, Level>, override: Element): void {
  const at = Number(attributeOf(override, "ilvl") ?? 0);
  const own = childOf(override, "lvl");
  const level = own ? readLevel(own) : levels.get(at);
  const start = attributeOf(childOf(override, "startOverride"), "val");
  if (level)
    levels.set(at, start === undefined ? level : { ...level, start: Number(start) });
}

function numberAs(value: number, format: string): string {
  switch (format) {
    case "lowerLetter":
      return letters(value).toLowerCase();
    case "upperLetter":
      return letters(value);
    case "lowerRoman":
      return roman(value).toLowerCase();
    case "upperRoman":
      return roman(value);
    case "decimalZero":
      return String(value).padStart(2, "0");
    case "none":
      return "";
    default:
      return String(value);
  }
}

/** Converts a number to letters as Word does: A … Z, AA, BB …. */
function letters(value: number): string {
  const letter = String.fromCharCode(65 + ((Math.max(1, value) - 1) % 26));
  return letter.repeat(Math.min(10, Math.ceil(Math.max(1, value) / 26)));
}

const ROMAN: readonly (readonly [number, string])[] = [
  [1000, "M"],
  [900, "CM"],
  [500, "D"],
  [400, "CD"],
  [100, "C"],
  [90, "XC"],
  [50, "L"],
  [40, "XL"],
  [10, "X"],
  [9, "IX"],
  [5, "V"],
  [4, "IV"],
  [1, "I"],
];

function roman(value: number): string {
  if (value < 1 || value > 3_999) return String(value);
  let left = value;
  let text = "";
  for (const [worth, sign] of ROMAN) {
    while (left >= worth) {
      text += sign;
      left -= worth;
    }
  }
  return text;
}
