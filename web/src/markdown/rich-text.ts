/** What word processors and mail programs keep. Of all else they get what it holds. */
const KEPT = new Set(
  (
    "p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code strong em b i del sup sub a br hr " +
    "table thead tbody tr th td"
  ).split(" "),
);
const WITHOUT_END = new Set(["br", "hr"]);
/** Beside the text: buttons, and the heads of code. */
const DROPPED = new Set(["button", "figcaption", "iframe", "input", "svg"]);
const ATTRIBUTES = ["href", "start", "colspan", "rowspan"];

/**
 * Shown texts as plain HTML, without our styles and controls, to be pasted elsewhere.
 * @param lines of plain text that follow them
 */
export function toRichText(
  shown: Iterable<Element>,
  lines: readonly string[] = [],
): string {
  const texts = [...shown].map(writeAll);
  return [...texts, ...lines.map((line) => `<p>${escapeHtml(line)}</p>`)].join("");
}

function writeAll({ childNodes }: Element): string {
  return [...childNodes].map(write).join("");
}

function write(node: Node): string {
  if (node instanceof Text) return escapeHtml(node.data);
  if (!(node instanceof Element)) return "";
  const { localName: name } = node;
  const citation = node.getAttribute("data-cite");
  if (citation !== null) return `[${escapeHtml(citation)}]`;
  if (DROPPED.has(name)) return "";
  // formulas paste as formulas
  if (name === "math") return writeFormula(node);
  const inside = writeAll(node);
  if (!KEPT.has(name)) return inside;
  const attributes = ATTRIBUTES.flatMap((attribute) => {
    const value = node.getAttribute(attribute);
    return value === null ? [] : [` ${attribute}="${escapeHtml(value)}"`];
  });
  const pasted = headingOf(name);
  const start = `<${pasted}${attributes.join("")}${alignmentOf(node)}>`;
  return WITHOUT_END.has(name) ? start : `${start}${inside}</${pasted}>`;
}

/** Without the styles in its attributes, which the policy of the page forbids in what is copied. */
function writeFormula(formula: Element): string {
  const copy = formula.cloneNode(true) as Element; // an element's clone is one
  for (const part of [copy, ...copy.querySelectorAll("[style]")])
    part.removeAttribute("style");
  return copy.outerHTML;
}

/**
 * Columns of numbers stay at the right. The class is that of `block.tsx`; the policy of the page
 * forbids styles in attributes, also in what is copied.
 */
function alignmentOf({ classList }: Element): string {
  const alignment = ["center", "right"].find((one) => classList.contains(`text-${one}`));
  return alignment ? ` align="${alignment}"` : "";
}

/** On the page the headings of a text are below those of the page: see `block.tsx`. */
function headingOf(name: string): string {
  const level = /^h([3-6])$/.exec(name)?.[1];
  return level === undefined ? name : `h${Number(level) - 2}`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
