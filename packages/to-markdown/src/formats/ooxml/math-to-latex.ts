import {
  type Element,
  attributeOf,
  childOf,
  elementsOf,
  isElement,
  textIn,
} from "../xml-tree.ts";

const SUMS: Record<string, string> = {
  "∑": "\\sum",
  "∏": "\\prod",
  "∫": "\\int",
  "∬": "\\iint",
  "∮": "\\oint",
  "⋃": "\\bigcup",
  "⋂": "\\bigcap",
};
const ACCENTS: Record<string, string> = {
  "\u0302": "\\hat",
  "\u0303": "\\tilde",
  "\u0304": "\\bar",
  "\u0305": "\\overline",
  "\u0307": "\\dot",
  "\u0308": "\\ddot",
  "\u20d7": "\\vec",
  "\u030c": "\\check",
};
const FUNCTIONS =
  /^(?:sin|cos|tan|cot|sec|csc|sinh|cosh|tanh|arcsin|arccos|arctan|log|ln|exp|lim|max|min|sup|inf|det|gcd)$/;

/** Converts an Office formula to LaTeX. Source: ECMA-376 part 1, 22.1. */
export function mathToLatex(element: Element): string {
  return element.children.map((child) => (isElement(child) ? convert(child) : "")).join("");
}

function convert(element: Element): string {
  const part = (name: string) => {
    const found = childOf(element, name);
    return found ? mathToLatex(found) : "";
  };
  const property = (name: string, fallback: string) => {
    const found = childOf(element, `${element.name}Pr`, name);
    return found ? (attributeOf(found, "val") ?? "") : fallback;
  };
  switch (element.name) {
    case "r":
      return elementsOf(element, "t")
        .map((text) => textIn(text).replace(/([%#&_{}])/g, "\\$1"))
        .join("");
    case "f":
      return property("type", "bar") === "lin"
        ? `${part("num")}/${part("den")}`
        : `\\frac{${part("num")}}{${part("den")}}`;
    case "sSup":
      return `${base(part("e"))}^{${part("sup")}}`;
    case "sSub":
      return `${base(part("e"))}_{${part("sub")}}`;
    case "sSubSup":
      return `${base(part("e"))}_{${part("sub")}}^{${part("sup")}}`;
    case "sPre":
      return `{}_{${part("sub")}}^{${part("sup")}}${part("e")}`;
    case "rad":
      return part("deg") === ""
        ? `\\sqrt{${part("e")}}`
        : `\\sqrt[${part("deg")}]{${part("e")}}`;
    case "nary": {
      const sign = property("chr", "∫");
      const limits =
        (part("sub") && `_{${part("sub")}}`) + (part("sup") && `^{${part("sup")}}`);
      return `${SUMS[sign] ?? sign}${limits} ${part("e")}`;
    }
    case "d": {
      const inner = elementsOf(element, "e").map(mathToLatex).join(property("sepChr", "|"));
      return `${property("begChr", "(").replace(/[{}]/, "\\$&")}${inner}${property("endChr", ")").replace(/[{}]/, "\\$&")}`;
    }
    case "func": {
      const name = part("fName");
      return `${FUNCTIONS.test(name.trim()) ? `\\${name.trim()}` : name.replace(/^(lim|log|max|min)(?=[_{^])/, "\\$1")}{${part("e")}}`;
    }
    case "acc":
      return `${ACCENTS[property("chr", "\u0302")] ?? "\\hat"}{${part("e")}}`;
    case "bar":
      return `${property("pos", "bot") === "top" ? "\\overline" : "\\underline"}{${part("e")}}`;
    case "limLow":
      return `${part("e")}_{${part("lim")}}`;
    case "limUpp":
      return `${part("e")}^{${part("lim")}}`;
    case "m":
      return `\\begin{matrix}${elementsOf(element, "mr")
        .map((row) => elementsOf(row, "e").map(mathToLatex).join(" & "))
        .join(" \\\\ ")}\\end{matrix}`;
    case "eqArr":
      return `\\begin{array}{l}${elementsOf(element, "e").map(mathToLatex).join(" \\\\ ")}\\end{array}`;
    default:
      return element.name.endsWith("Pr") ? "" : mathToLatex(element);
  }
}

/**
 * The base of an index or a power, in braces when it has more than one sign: TeX would apply them
 * to the last sign only.
 */
function base(text: string): string {
  return [...text].length > 1 && !/^\\\w+$/.test(text) ? `{${text}}` : text;
}
