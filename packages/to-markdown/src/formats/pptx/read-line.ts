import { raised, type Run } from "../blocks.ts";
import { mathToLatex } from "../ooxml/math-to-latex.ts";
import type { Relationship } from "../ooxml/open-package.ts";
import {
  type Element,
  childOf,
  elementsOf,
  findAll,
  findIn,
  prefixedAttribute,
  textIn,
} from "../xml-tree.ts";

/** Reads a paragraph of DrawingML. Source: ECMA-376 part 1, 21.1.2. */
export function readLine(line: Element, relationships: Map<string, Relationship>): Run[] {
  return elementsOf(line).flatMap((part): Run[] => {
    if (part.name === "br") return [{ text: "\n" }];
    if (part.name === "r" || part.name === "fld") return [readRun(part, relationships)];
    if (part.name === "AlternateContent" || part.name === "m") {
      const formula = findAll(part, "oMath").map(mathToLatex).join(" ");
      if (formula !== "") return [{ raw: true, text: `$${formula}$` }];
      const chosen = childOf(part, "Choice");
      return chosen && findIn(chosen, "t") ? readLine(chosen, relationships) : [];
    }
    return [];
  });
}

function readRun(run: Element, relationships: Map<string, Relationship>): Run {
  const properties = childOf(run, "rPr");
  const { b, i, strike, baseline } = properties?.attributes ?? {};
  const link = relationships.get(
    prefixedAttribute(childOf(properties, "hlinkClick"), "id") ?? "",
  );
  const text = textIn(childOf(run, "t")).replaceAll("\v", "\n");
  return {
    text: Number(baseline) > 0 ? raised(text) : text,
    bold: b === "1" || b === "true",
    italic: i === "1" || i === "true",
    strike: strike === "sngStrike" || strike === "dblStrike",
    href: link?.external ? link.target : undefined,
  };
}
