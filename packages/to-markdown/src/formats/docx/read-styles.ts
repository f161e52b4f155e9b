import type { Archive } from "../archive.ts";
import {
  type Element,
  attributeOf,
  childOf,
  elementsOf,
  readXmlTree,
} from "../xml-tree.ts";

/** The properties of a style, with those that it inherits. */
export interface Style {
  name: string;
  /** Counted from 1. */
  heading?: number | undefined;
  bold?: boolean | undefined;
  italic?: boolean | undefined;
  strike?: boolean | undefined;
  hidden?: boolean | undefined;
  code?: boolean | undefined;
  font?: string | undefined;
  quote?: boolean | undefined;
  numbering?: { id?: string | undefined; level?: number | undefined } | undefined;
}

/** Reads the styles of a document by id. Source: ECMA-376 part 1, 17.7. */
export async function readStyles(
  archive: Archive,
  path: string | undefined,
): Promise<Map<string, Style>> {
  const styles = new Map<string, Style>();
  if (!path || !archive.has(path)) return styles;
  const tree = await readXmlTree(archive.text(path));
  const elements = new Map(
    elementsOf(childOf(tree, "styles"), "style").map((element) => [
      attributeOf(element, "styleId") ?? "",
      element,
    ]),
  );
  const resolve = (id: string, depth: number): Style | undefined => {
    const known = styles.get(id);
    const element = elements.get(id);
    if (known || !element || depth > 20) return known;
    const base = resolve(attributeOf(childOf(element, "basedOn"), "val") ?? "", depth + 1);
    const style = { ...base, ...ownStyle(element, base) };
    styles.set(id, style);
    return style;
  };
  for (const id of elements.keys()) resolve(id, 0);
  return styles;
}

function ownStyle(element: Element, base: Style | undefined): Style {
  const name = attributeOf(childOf(element, "name"), "val") ?? "";
  const paragraph = childOf(element, "pPr");
  const numPr = childOf(paragraph, "numPr");
  const level = attributeOf(childOf(numPr, "ilvl"), "val");
  const own: Style = { name, ...toggles(childOf(element, "rPr")) };
  const heading = headingOf(name, attributeOf(childOf(paragraph, "outlineLvl"), "val"));
  if (heading !== undefined) own.heading = heading === 0 ? undefined : heading;
  if (
    /\b(?:source code|html preformatted|preformatted|code block|plain code|verbatim|code)\b/i.test(
      name,
    )
  )
    own.code = true;
  const font = attributeOf(childOf(element, "rPr", "rFonts"), "ascii");
  if (font !== undefined) own.font = font;
  if (/^(?:intense )?quote$|^block ?text$|^quotations?$/i.test(name)) own.quote = true;
  if (numPr) {
    own.numbering = {
      id: attributeOf(childOf(numPr, "numId"), "val") ?? base?.numbering?.id,
      level: level === undefined ? base?.numbering?.level : Number(level),
    };
  }
  return own;
}

/** @returns 0 for a style that declares itself body text. */
function headingOf(name: string, outline: string | undefined): number | undefined {
  const named = /^heading ?([1-9])$/i.exec(name)?.[1];
  if (named) return Number(named);
  if (/^title$/i.test(name)) return 1;
  if (outline === undefined) return undefined;
  const level = Number(outline);
  return level >= 0 && level < 9 ? level + 1 : 0;
}

/** The properties of runs that are on or off. Absent ones are inherited. */
export function toggles(
  properties: Element | undefined,
): Pick<Style, "bold" | "italic" | "strike" | "hidden"> {
  const found: Pick<Style, "bold" | "italic" | "strike" | "hidden"> = {};
  for (const property of elementsOf(properties)) {
    const on = !/^(?:0|false|off|none)$/.test(attributeOf(property, "val") ?? "");
    if (property.name === "b") found.bold = on;
    else if (property.name === "i") found.italic = on;
    else if (property.name === "strike" || property.name === "dstrike") found.strike = on;
    else if (property.name === "vanish") found.hidden = on;
  }
  return found;
}
