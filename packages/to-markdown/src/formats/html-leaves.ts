import { preText } from "./judge-html.ts";
import type { Block, Run } from "./blocks.ts";
import { type Element, childOf, findAll, textIn, isElement } from "./xml-tree.ts";

export interface HtmlOptions {
  /** Whether the text is XHTML. */
  xml?: boolean | undefined;
  /** Whether only links to other files and sites are kept. */
  outward?: boolean | undefined;
  /** Whether it is a page within another page: deeper ones are left out. */
  isFramed?: boolean | undefined;
  /** The address to which relative links of the page refer. */
  base?: string | undefined;
  /** Returns the name under which a picture is shown; undefined leaves it out. */
  picture?: ((source: string, alt: string) => string | undefined) | undefined;
}

/** The context of an element: lists, quotations, style. */
export interface HtmlPlace {
  depth: number;
  quote: number;
  style: Omit<Run, "text">;
}

const STYLES: Record<string, Omit<Run, "text">> = {
  b: { bold: true },
  strong: { bold: true },
  i: { italic: true },
  em: { italic: true },
  cite: { italic: true },
  dfn: { italic: true },
  var: { italic: true },
  s: { strike: true },
  del: { strike: true },
  strike: { strike: true },
  code: { code: true },
  kbd: { code: true },
  samp: { code: true },
  tt: { code: true },
};

/** The style of text in an inline element: inherited, with its own style and link. */
export function styleIn(
  { name, attributes }: Element,
  around: Omit<Run, "text">,
  { outward, base }: HtmlOptions,
): Omit<Run, "text"> {
  const style = { ...around, ...STYLES[name] };
  const { href } = attributes;
  if (name === "a" && href !== undefined && (!outward || /^[a-z][a-z\d+.-]*:/i.test(href)))
    style.href = resolved(href, base);
  return style;
}

/** A link from the base of its page; one within the page, or of another kind, stays as it is. */
function resolved(href: string, base: string | undefined): string {
  if (base === undefined || /^(?:#|[a-z][a-z\d+.-]*:)/i.test(href.trim())) return href;
  return URL.parse(href, base)?.href ?? href;
}

/** A picture, or its description. */
export function pictureRun(
  { attributes }: Element,
  { style }: HtmlPlace,
  picture: HtmlOptions["picture"],
): Run[] {
  // a tracking pixel
  if (attributes["width"] === "1" || attributes["height"] === "1") return [];
  const alt = attributes["alt"] ?? attributes["title"] ?? "";
  const source =
    attributes["src"] ??
    attributes["xlink:href"] ??
    attributes["href"] ??
    attributes["data-src"] ??
    "";
  const inline = /^data:/i.test(source) ? "image" : source;
  const shown = picture ? picture(source, alt) : inline;
  if (shown) return [{ text: alt, image: shown, href: style.href }];
  return alt ? [{ ...style, text: alt }] : [];
}

/** The checkbox of an item in a task list. */
export function checkboxRun({ attributes }: Element): Run[] {
  if (attributes["type"]?.toLowerCase() !== "checkbox") return [];
  return [{ raw: true, text: "checked" in attributes ? "[x] " : "[ ] " }];
}

/** What stands in a field of a form, as who looks at the page sees it. */
export function fieldRun(element: Element): Run[] {
  const { attributes, name } = element;
  const isOn = "checked" in attributes;
  const type = attributes["type"]?.toLowerCase() ?? "text";
  if (name === "select") return chosenRun(element);
  if (type === "checkbox" || type === "radio") return [{ text: isOn ? "☒ " : "☐ " }];
  const value = UNSEEN_FIELDS.has(type) ? "" : (attributes["value"] ?? "");
  return value === "" ? [] : [{ text: ` ${value} ` }];
}

/** Buttons are no content, and the others show no value. */
const UNSEEN_FIELDS = new Set(
  "hidden password button submit reset image file color range".split(" "),
);

/** The chosen options; the first of a list of which one is always shown. */
function chosenRun(select: Element): Run[] {
  const options = findAll(select, "option");
  const chosen = options.filter(({ attributes }) => "selected" in attributes);
  const isSingle = !("multiple" in select.attributes);
  const shown = chosen.length > 0 || !isSingle ? chosen : options.slice(0, 1);
  const texts = shown.map((option) => textIn(option).trim()).filter(Boolean);
  return texts.length === 0 ? [] : [{ text: ` ${texts.join(", ")} ` }];
}

export function formulaRun(element: Element): Run[] {
  const latex = mathmlToLatex(element);
  const sign = element.attributes["display"] === "block" ? "$$" : "$";
  return latex === "" ? [] : [{ raw: true, text: `${sign}${latex}${sign}` }];
}

/** A code listing, with its language where a class names it. */
export function codeBlocks(element: Element, { depth, quote }: HtmlPlace): Block[] {
  const code = childOf(element, "code");
  const named = `${element.attributes["class"] ?? ""} ${code?.attributes["class"] ?? ""}`;
  const language =
    /\b(?:language|lang|highlight-source|brush:?)[-\s:]*([\w+#.-]{1,30})/.exec(named)?.[1];
  const text = preText(element).replace(/^\n/, "");
  return text.trim() === "" ? [] : [{ kind: "code", text, language, depth, quote }];
}

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
function mathmlToLatex(math: Element): string {
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
