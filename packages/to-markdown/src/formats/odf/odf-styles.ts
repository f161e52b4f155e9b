import { numberAs } from "../list-labels.ts";
import { type Element, attributeOf, childOf, elementsOf, findAll } from "../xml-tree.ts";

export interface OdfStyle {
  name: string;
  bold?: boolean | undefined;
  italic?: boolean | undefined;
  strike?: boolean | undefined;
  up?: boolean | undefined;
  hidden?: boolean | undefined;
  /** Counted from 1. */
  heading?: number | undefined;
  breakBefore?: boolean | undefined;
  breakAfter?: boolean | undefined;
  code?: boolean | undefined;
  font?: string | undefined;
  list?: string | undefined;
}

export interface OdfStyles {
  of(name: string | undefined): OdfStyle | undefined;
  /** The first number of a list's level (from 1); undefined for bullets. */
  startOf(list: string | undefined, level: number): number | undefined;
  /** The label of an item by the numbers of its level and of those above it. */
  labelOf(list: string | undefined, numbers: readonly number[]): string;
}

/** Reads the styles of a document: its own, then the shared ones. Source: ODF 1.3 part 3, 16. */
export function readOdfStyles(
  common: Element | undefined,
  content: Element | undefined,
): OdfStyles {
  const elements = new Map<string, Element>();
  const lists = new Map<string, Element>();
  for (const root of [common, content]) {
    for (const group of ["styles", "automatic-styles"]) {
      for (const element of elementsOf(childOf(root, group))) {
        const name = attributeOf(element, "name") ?? "";
        if (element.name === "style") elements.set(name, element);
        else if (element.name === "list-style") lists.set(name, element);
      }
    }
  }
  const known = new Map<string, OdfStyle>();
  const resolve = (name: string | undefined, depth: number): OdfStyle | undefined => {
    const element = name === undefined || depth > 20 ? undefined : elements.get(name);
    if (!element || name === undefined) return undefined;
    const found = known.get(name);
    if (found) return found;
    const style = {
      ...resolve(attributeOf(element, "parent-style-name"), depth + 1),
      ...ownStyle(name, element),
    };
    known.set(name, style);
    return style;
  };
  const levelOf = (list: string | undefined, level: number) =>
    findAll(lists.get(list ?? ""), "list-level-style-number").find(
      (element) => attributeOf(element, "level") === String(level),
    );
  return {
    of: (name) => resolve(name, 0),
    startOf(list, level) {
      const found = levelOf(list, level);
      if (!found || attributeOf(found, "num-format") === "") return undefined;
      return Number(attributeOf(found, "start-value")) || 1;
    },
    labelOf(list, numbers) {
      const own = levelOf(list, numbers.length);
      const shown = Math.max(1, Number(attributeOf(own, "display-levels")) || 1);
      const parts = numbers.map((number, at) => {
        const format = attributeOf(levelOf(list, at + 1), "num-format") ?? "1";
        return numberAs(number, NUMBER_FORMATS[format] ?? "decimal");
      });
      const [prefix, suffix] = ["num-prefix", "num-suffix"].map((each) =>
        attributeOf(own, each),
      );
      return `${prefix ?? ""}${parts.slice(-shown).join(".")}${suffix ?? ""}`;
    },
  };
}

const NUMBER_FORMATS: Record<string, string> = {
  a: "lowerLetter",
  A: "upperLetter",
  i: "lowerRoman",
  I: "upperRoman",
  "①, ②, ③, ...": "decimalEnclosedCircle",
  "一, 二, 三, ...": "japaneseCounting",
  "А, Б, .., Аа, Аб, ... (ru)": "russianUpper",
  "а, б, .., аа, аб, ... (ru)": "russianLower",
};

function ownStyle(name: string, element: Element): OdfStyle {
  const text = childOf(element, "text-properties");
  const paragraph = childOf(element, "paragraph-properties");
  const shown = attributeOf(element, "display-name") ?? name;
  const style: OdfStyle = { name: shown };
  const weight = attributeOf(text, "font-weight");
  if (weight !== undefined) style.bold = weight === "bold" || Number(weight) >= 600;
  const slant = attributeOf(text, "font-style");
  if (slant !== undefined) style.italic = slant === "italic" || slant === "oblique";
  const line =
    attributeOf(text, "text-line-through-style") ??
    attributeOf(text, "text-line-through-type");
  if (line !== undefined) style.strike = line !== "none";
  const place = attributeOf(text, "text-position");
  if (place !== undefined) style.up = /^(?:super|[1-9]\d?%)/.test(place);
  if (attributeOf(text, "display") === "none") style.hidden = true;
  const font = attributeOf(text, "font-name") ?? attributeOf(text, "font-family");
  if (font !== undefined) style.font = font.replace(/^'|'$/g, "");
  if (attributeOf(paragraph, "break-before") === "page") style.breakBefore = true;
  // ODF 1.3 part 3, 19.501: another kind of page begins a page
  if (attributeOf(element, "master-page-name")) style.breakBefore = true;
  if (attributeOf(paragraph, "break-after") === "page") style.breakAfter = true;
  if (/^title$/i.test(shown)) style.heading = 1;
  if (/^(?:subtitle)$/i.test(shown)) style.heading = 2;
  // converted documents may have only the name
  const named = /^Heading(?:_20_| )(\d)$/.exec(name)?.[1];
  if (named !== undefined) style.heading = Number(named);
  const outline = Number(attributeOf(element, "default-outline-level"));
  if (outline > 0) style.heading = outline;
  if (/preformatted|source ?text|code/i.test(shown.replaceAll("_20_", " ")))
    style.code = true;
  const list = attributeOf(element, "list-style-name");
  if (list) style.list = list;
  return style;
}
