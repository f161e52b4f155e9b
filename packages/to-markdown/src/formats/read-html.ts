import { type Block, type Cell, paragraph, raised, type Run } from "./blocks.ts";
import {
  checkboxRun,
  fieldRun,
  codeBlocks,
  formulaRun,
  type HtmlOptions,
  type HtmlPlace,
  pictureRun,
  styleIn,
} from "./html-leaves.ts";
import { readHtmlTree } from "./html-tree.ts";
import { type ListMarker, listMarker, numberAs } from "./list-labels.ts";
import { IGNORED, isHidden, isLayoutTable, spanOf, tidied } from "./judge-html.ts";
import { type Element, childOf, findAll, findIn, isElement, textIn } from "./xml-tree.ts";

export interface HtmlContent {
  blocks: Block[];
  title?: string | undefined;
  author?: string | undefined;
  language?: string | undefined;
}

const BLOCKS = new Set(
  "address article aside body center details dialog dd div dl dt fieldset figcaption figure footer form header hgroup html legend main nav optgroup option p search section summary caption tbody thead tfoot tr td th".split(
    " ",
  ),
);

/** The state while elements are read in order. */
interface Flow {
  blocks: Block[];
  /** Text that is not part of a block yet. */
  runs: Run[];
  /** The marker of a list item, until its first block. */
  marker: string | undefined;
  /** The place in `blocks` of the last term of a description list. */
  term?: number;
  options: HtmlOptions;
}

/**
 * Converts the visible content of a page to blocks, in its order.
 * @throws FileError `too_complex`.
 */
export function readHtml(html: string, options: HtmlOptions = {}): HtmlContent {
  const root = readHtmlTree(html, options.xml);
  const page = childOf(root, "html") ?? root;
  const head = findIn(root, "head") ?? root;
  const meta = (name: string) =>
    findAll(head, "meta").find(
      (element) => element.attributes["name"]?.toLowerCase() === name,
    )?.attributes["content"];
  const base = findIn(page, "base")?.attributes["href"];
  const isAbsolute = base !== undefined && /^https?:\/\//i.test(base);
  const own = isAbsolute ? { ...options, base } : options;
  const blocks = readFlow(page, ROOT, own);
  return {
    // what a page says that its scripts would fill
    blocks:
      blocks.length > 0
        ? blocks
        : findAll(page, "noscript").flatMap((element) => readFlow(element, ROOT, own)),
    title: textIn(findIn(head, "title")) || undefined,
    author: meta("author"),
    language: page.attributes["lang"] ?? page.attributes["xml:lang"],
  };
}

const ROOT: HtmlPlace = { depth: 0, quote: 0, style: {} };

function readFlow(root: Element, place: HtmlPlace, options: HtmlOptions): Block[] {
  const flow: Flow = { blocks: [], runs: [], marker: undefined, options };
  readChildren(flow, root, place);
  flush(flow, place);
  return flow.blocks;
}

/** Ends the current paragraph. */
function flush(flow: Flow, { depth, quote }: HtmlPlace): void {
  const runs = tidied(flow.runs);
  flow.runs = [];
  if (runs.length === 0) return;
  flow.blocks.push(paragraph(runs, { depth, quote, marker: flow.marker }));
  flow.marker = undefined;
}

function readChildren(flow: Flow, element: Element, place: HtmlPlace): void {
  for (const child of element.children) {
    if (isElement(child)) readElement(flow, child, place);
    else if (child !== "")
      flow.runs.push({ ...place.style, text: child.replace(/[ \t\r\n\f]+/g, " ") });
  }
}

function readElement(flow: Flow, element: Element, place: HtmlPlace): void {
  const { name } = element;
  if (name === "select" && !isHidden(element)) flow.runs.push(...fieldRun(element));
  if (name === "iframe" && !isHidden(element)) readFrame(flow, element, place);
  if (IGNORED.has(name) || isHidden(element)) return;
  const level = /^h([1-6])$/.exec(name)?.[1];
  if (level !== undefined) readHeading(flow, element, Number(level), place);
  else if (name === "ul" || name === "ol" || name === "menu" || name === "dir")
    readList(flow, element, place);
  else if (name === "li")
    readItem(
      flow,
      element,
      { marker: "-", label: "" },
      { ...place, depth: Math.max(1, place.depth) },
    );
  else if (name === "table") readTable(flow, element, place);
  else if (name === "pre" || name === "xmp" || name === "listing") {
    flush(flow, place);
    flow.blocks.push(...codeBlocks(element, place));
  } else if (name === "blockquote")
    readWithin(flow, element, place, { ...place, quote: place.quote + 1 });
  else if (name === "hr") {
    flush(flow, place);
    flow.blocks.push({ kind: "rule" });
  } else if (name === "dt") {
    readWithin(flow, element, place, place);
    flow.term = flow.blocks.length - 1;
  } else if (name === "dd") readDescription(flow, element, place);
  else if (BLOCKS.has(name)) readWithin(flow, element, place, place);
  else readInline(flow, element, place);
}

function readWithin(
  flow: Flow,
  element: Element,
  outer: HtmlPlace,
  inner: HtmlPlace,
): void {
  flush(flow, outer);
  readChildren(flow, element, inner);
  flush(flow, inner);
}

/** A term and what is said of it are one paragraph, so that no chunk has one without the other. */
function readDescription(flow: Flow, element: Element, place: HtmlPlace): void {
  flush(flow, place);
  const at = flow.blocks.length;
  readWithin(flow, element, place, place);
  if (flow.term !== at - 1) return;
  const [term, description] = flow.blocks.slice(at - 1, at + 1);
  if (term?.kind !== "paragraph" || description?.kind !== "paragraph") return;
  const runs = [...term.runs, { text: "\n" }, ...description.runs];
  flow.blocks.splice(at - 1, 2, { ...term, runs });
}

/** A page within the page, where its own text is given. */
function readFrame(flow: Flow, { attributes }: Element, place: HtmlPlace): void {
  const page = attributes["srcdoc"];
  if (page === undefined || flow.options.isFramed) return;
  flush(flow, place);
  const { blocks } = readHtml(page, { ...flow.options, xml: false, isFramed: true });
  for (const block of blocks) flow.blocks.push(placed(block, place));
}

function readHeading(flow: Flow, element: Element, level: number, place: HtmlPlace): void {
  flush(flow, place);
  readChildren(flow, element, { ...place, style: {} });
  const runs = tidied(flow.runs);
  flow.runs = [];
  if (runs.length > 0) flow.blocks.push({ kind: "heading", level, runs });
}

function readList(flow: Flow, element: Element, place: HtmlPlace): void {
  flush(flow, place);
  const inner = { ...place, depth: place.depth + 1 };
  const step = "reversed" in element.attributes ? -1 : 1;
  let number =
    integerOf(element.attributes["start"]) ??
    (step < 0 ? element.children.filter(isItem).length : 1);
  for (const child of element.children) {
    if (!isElement(child))
      flow.runs.push({ ...inner.style, text: child.replace(/\s+/g, " ") });
    else if (child.name !== "li") readElement(flow, child, inner);
    else if (!isHidden(child)) {
      flush(flow, inner);
      number = integerOf(child.attributes["value"]) ?? number;
      const mark =
        element.name === "ol"
          ? listMarker(
              labelOf(number, child.attributes["type"] ?? element.attributes["type"]),
            )
          : { marker: "-", label: "" };
      readItem(flow, child, mark, inner);
      number += step;
    }
  }
  flush(flow, inner);
  flow.marker = undefined;
}

const isItem = (child: Element["children"][number]) =>
  isElement(child) && child.name === "li";

function integerOf(value: string | undefined): number | undefined {
  const number = Number.parseInt(value ?? "", 10);
  return Number.isSafeInteger(number) ? number : undefined;
}

const TYPES: Record<string, string> = {
  a: "lowerLetter",
  A: "upperLetter",
  i: "lowerRoman",
  I: "upperRoman",
};

function labelOf(number: number, type = "1"): string {
  return `${numberAs(number, number > 0 ? (TYPES[type] ?? "decimal") : "decimal")}.`;
}

function readItem(
  flow: Flow,
  element: Element,
  { marker, label }: ListMarker,
  place: HtmlPlace,
): void {
  flush(flow, place);
  flow.marker = marker;
  if (label !== "") flow.runs.push({ ...place.style, text: `${label} ` });
  readChildren(flow, element, place);
  flush(flow, place);
  flow.marker = undefined;
}

function readTable(flow: Flow, element: Element, place: HtmlPlace): void {
  flush(flow, place);
  const trs = rowsOf(element);
  const rows = trs.map((tr) => readRow(tr, flow.options));
  const caption = childOf(element, "caption");
  if (caption) readWithin(flow, caption, place, place);
  if (isLayoutTable(element, trs, rows)) {
    for (const row of rows)
      for (const cell of row)
        for (const block of cell.blocks) flow.blocks.push(placed(block, place));
    return;
  }
  if (rows.length > 0)
    flow.blocks.push({ kind: "table", rows, depth: place.depth, quote: place.quote });
}

function readInline(flow: Flow, element: Element, place: HtmlPlace): void {
  const { name } = element;
  const { runs, options } = flow;
  if (name === "svg") {
    for (const image of findAll(element, "image"))
      runs.push(...pictureRun(image, place, options.picture));
    for (const label of findAll(element, "text"))
      runs.push({ ...place.style, text: ` ${textIn(label).replace(/\s+/g, " ").trim()} ` });
    return;
  }
  if (name === "br") runs.push({ text: "\n" });
  else if (name === "img" || name === "image")
    runs.push(...pictureRun(element, place, options.picture));
  else if (name === "input")
    runs.push(...(flow.marker === undefined ? fieldRun(element) : checkboxRun(element)));
  else if (name === "math") runs.push(...formulaRun(element));
  else if (name === "sup") readRaised(flow, element, place);
  else if (name === "q") {
    flow.runs.push({ ...place.style, text: "“" });
    readChildren(flow, element, place);
    flow.runs.push({ ...place.style, text: "”" });
  } else {
    const style = styleIn(element, place.style, options);
    readChildren(flow, element, { ...place, style });
  }
}

function readRaised(flow: Flow, element: Element, place: HtmlPlace): void {
  const before = flow.runs.length;
  readChildren(flow, element, place);
  const [only] = flow.runs.slice(before);
  if (only && flow.runs.length === before + 1)
    flow.runs[before] = { ...only, text: raised(only.text) };
}

function placed(block: Block, place: HtmlPlace): Block {
  return "depth" in block
    ? { ...block, depth: block.depth + place.depth, quote: block.quote + place.quote }
    : block;
}

/** The rows in the order in which they are displayed: a foot comes last wherever it is written. */
function rowsOf(table: Element): Element[] {
  const isFoot = (child: Element["children"][number]) =>
    isElement(child) && child.name === "tfoot";
  const parts = [
    ...table.children.filter((child) => !isFoot(child)),
    ...table.children.filter(isFoot),
  ];
  return parts.flatMap((child) => {
    if (!isElement(child)) return [];
    if (child.name === "tr") return [child];
    return child.name === "thead" || child.name === "tbody" || child.name === "tfoot"
      ? rowsOf(child)
      : [];
  });
}

function readRow(tr: Element, options: HtmlOptions): Cell[] {
  return tr.children.flatMap((child) => {
    if (
      !isElement(child) ||
      (child.name !== "td" && child.name !== "th") ||
      isHidden(child)
    )
      return [];
    return [
      {
        blocks: readFlow(child, ROOT, options),
        columns: spanOf(child.attributes["colspan"]),
        rows:
          child.attributes["rowspan"]?.trim() === "0"
            ? Infinity
            : spanOf(child.attributes["rowspan"]),
      },
    ];
  });
}
