import { type Element, findAll, isElement, textIn } from "./xml-tree.ts";

const SIGNS: Record<string, string> = {
  "∑": "\\sum",
  "∏": "\\prod",
  "∫": "\\int",
  "∞": "\\infty",
  "→": "\\to",
  "≤": "\\leq",
  "≥": "\\geq",
  "≠": "\\neq",
  "×": "\\times",
  "±": "\\pm",
  "⋅": "\\cdot",
  "−": "-",
};
const GREEK: Record<string, string> = {
  α: "\\alpha",
  β: "\\beta",
  γ: "\\gamma",
  δ: "\\delta",
  ε: "\\epsilon",
  θ: "\\theta",
  λ: "\\lambda",
  μ: "\\mu",
  π: "\\pi",
  ρ: "\\rho",
  σ: "\\sigma",
  φ: "\\phi",
  ω: "\\omega",
  Δ: "\\Delta",
  Σ: "\\Sigma",
  Ω: "\\Omega",
};
const OVER: Record<string, string> = {
  "¯": "\\bar",
  "‾": "\\overline",
  "^": "\\hat",
  ˆ: "\\hat",
  "~": "\\tilde",
  "→": "\\vec",
  "˙": "\\dot",
  "⏞": "\\overbrace",
  "⏟": "\\underbrace",
};
/** Invisible MathML operators, such as multiplication signs for speech. */
const UNSEEN = /[\u2061-\u2064]/g;

/**
 * Converts a formula to LaTeX: the author's own source if it is given, else from its elements.
 * Source: MathML 3.0, 3.
 */
export function mathmlToLatex(math: Element): string {
  const tex = findAll(math, "annotation").find(({ attributes }) =>
    /tex/i.test(attributes["encoding"] ?? ""),
  );
  const own = textIn(tex).trim();
  const text = own === "" ? all(math) : own;
  return text.replace(/\s+/g, " ").trim();
}

function all(element: Element): string {
  return parts(element).map(convert).join("");
}

function parts(element: Element): Element[] {
  return element.children
    .filter(isElement)
    .filter(
      ({ name }) =>
        !/^(?:annotation|annotation-xml|mprescripts|none|maligngroup|malignmark)$/.test(
          name,
        ),
    );
}

function convert(element: Element): string {
  const [first, second, third] = parts(element).map(convert);
  const [a = "", b = "", c = ""] = [first, second, third];
  switch (element.name) {
    case "mi":
    case "mn":
    case "mo":
      return leaf(element);
    case "mtext":
    case "ms":
      return `\\text{${textIn(element).replace(/\s+/g, " ").trim()}}`;
    case "mspace":
      return " ";
    case "mfrac":
      return `\\frac{${a}}{${b}}`;
    case "msqrt":
      return `\\sqrt{${all(element)}}`;
    case "mroot":
      return `\\sqrt[${b}]{${a}}`;
    case "msup":
      return `${grouped(a)}^{${b}}`;
    case "msub":
      return `${grouped(a)}_{${b}}`;
    case "msubsup":
    case "munderover":
      return `${grouped(a)}_{${b}}^{${c}}`;
    case "mover":
      return OVER[b] ? `${OVER[b]}{${a}}` : `${grouped(a)}^{${b}}`;
    case "munder":
      return OVER[b] ? `${OVER[b]}{${a}}` : `${grouped(a)}_{${b}}`;
    case "mfenced":
      return `${element.attributes["open"] ?? "("}${parts(element)
        .map(convert)
        .join(
          element.attributes["separators"]?.trim() ?? ",",
        )}${element.attributes["close"] ?? ")"}`;
    case "mtable":
      return `\\begin{matrix}${parts(element).map(convert).join(" \\\\ ")}\\end{matrix}`;
    case "mtr":
    case "mlabeledtr":
      return parts(element).map(convert).join(" & ");
    default:
      return all(element) || (parts(element).length === 0 ? leaf(element) : "");
  }
}

function leaf(element: Element): string {
  const text = textIn(element).replace(UNSEEN, "").trim();
  const known = SIGNS[text] ?? GREEK[text];
  if (known !== undefined) return known.startsWith("\\") ? `${known} ` : known;
  if (element.name === "mi" && /^(?:sin|cos|tan|log|ln|exp|lim|max|min)$/.test(text))
    return `\\${text} `;
  return text.replace(/([%#&_{}])/g, "\\$1");
}

/** The base of an index, in braces when it has more than one sign. */
function grouped(text: string): string {
  const bare = text.trim();
  return [...bare].length > 1 && !/^\\\w+$/.test(bare) ? `{${bare}}` : bare;
}
