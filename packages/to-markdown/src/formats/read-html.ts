import { type Block, type Cell, paragraph, raised, type Run } from "./blocks.ts";
import { readHtmlTree } from "./html-tree.ts";
import { IGNORED, isHidden, isLayoutTable, preText, spanOf, tidied } from "./judge-html.ts";
import { mathmlToLatex } from "./mathml-to-latex.ts";
import { type Element, childOf, findAll, findIn, isElement, textIn } from "./xml-tree.ts";

export interface HtmlContent {
  blocks: Block[];
  title?: string | undefined;
  author?: string | undefined;
  language?: string | undefined;
}

interface Options {
  /** Whether the text is XHTML. */
  xml?: boolean | undefined;
  /** Whether only links that lead out of the file are kept. */
  outward?: boolean | undefined;
  /** The name under which a picture is shown; undefined leaves it out. */
  picture?: ((source: string, alt: string) => string | undefined) | undefined;
}

/** How what is read now stands: lists, quotations, style. */
interface Place {
  depth: number;
  quote: number;
  style: Omit<Run, "text">;
}

const BLOCKS = new Set(
  "address article aside body center details dialog dd div dl dt fieldset figcaption figure footer form header hgroup html legend main nav optgroup option p search section summary caption tbody thead tfoot tr td th".split(
    " ",
  ),
);
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

/**
 * A page as blocks: what a reader sees of it, in the order in which it is written.
 * @throws TooLarge `too_complex`.
 */
export function readHtml(html: string, options: Options = {}): HtmlContent {
  const root = readHtmlTree(html, options.xml);
  const page = childOf(root, "html") ?? root;
  const head = findIn(root, "head") ?? root;
  const meta = (name: string) =>
    findAll(head, "meta").find((element) => element.attributes["name"]?.toLowerCase() === name)
      ?.attributes["content"];
  return {
    blocks: readFlow(page, { depth: 0, quote: 0, style: {} }, options),
    title: textIn(findIn(head, "title")) || undefined,
    author: meta("author"),
    language: page.attributes["lang"] ?? page.attributes["xml:lang"],
  };
}

function readFlow(root: Element, start: Place, options: Options): Block[] {
  const blocks: Block[] = [];
  let runs: Run[] = [];
  let marker: string | undefined;

  const flush = ({ depth, quote }: Place) => {
    const tidy = tidied(runs);
    runs = [];
    if (tidy.length === 0) return;
    blocks.push(paragraph(tidy, { depth, quote, marker }));
    marker = undefined;
  };

  const inside = (element: Element, place: Place) => {
    for (const child of element.children) {
      if (isElement(child)) visit(child, place);
      else if (child !== "")
        runs.push({ ...place.style, text: child.replace(/[ \t\r\n\f]+/g, " ") });
    }
  };

  const visit = (element: Element, place: Place) => {
    const { name } = element;
    if (IGNORED.has(name) || isHidden(element)) return;
    const level = /^h([1-6])$/.exec(name)?.[1];
    if (level !== undefined) heading(element, Number(level), place);
    else if (name === "ul" || name === "ol" || name === "menu" || name === "dir")
      list(element, place);
    else if (name === "li") item(element, "-", { ...place, depth: Math.max(1, place.depth) });
    else if (name === "table") table(element, place);
    else if (name === "pre" || name === "xmp" || name === "listing") preformatted(element, place);
    else if (name === "blockquote") within(element, place, { ...place, quote: place.quote + 1 });
    else if (name === "hr") {
      flush(place);
      blocks.push({ kind: "rule" });
    } else if (BLOCKS.has(name)) within(element, place, place);
    else inline(element, place);
  };

  const within = (element: Element, outer: Place, inner: Place) => {
    flush(outer);
    inside(element, inner);
    flush(inner);
  };

  const heading = (element: Element, level: number, place: Place) => {
    flush(place);
    inside(element, { ...place, style: {} });
    const tidy = tidied(runs);
    runs = [];
    if (tidy.length > 0) blocks.push({ kind: "heading", level, runs: tidy });
  };

  const list = (element: Element, place: Place) => {
    flush(place);
    const inner = { ...place, depth: place.depth + 1 };
    let number = Number.parseInt(element.attributes["start"] ?? "", 10);
    if (!Number.isSafeInteger(number) || number < 0) number = 1;
    for (const child of element.children) {
      if (!isElement(child)) runs.push({ ...inner.style, text: child.replace(/\s+/g, " ") });
      else if (child.name !== "li") visit(child, inner);
      else if (!isHidden(child)) {
        flush(inner);
        item(child, element.name === "ol" ? `${number}.` : "-", inner);
        number += 1;
      }
    }
    flush(inner);
    marker = undefined;
  };

  const item = (element: Element, mark: string, place: Place) => {
    flush(place);
    marker = mark;
    inside(element, place);
    flush(place);
    marker = undefined;
  };

  const table = (element: Element, place: Place) => {
    flush(place);
    const trs = rowsOf(element);
    const rows = trs.map((tr) => readRow(tr, options));
    const caption = childOf(element, "caption");
    if (caption) within(caption, place, place);
    if (isLayoutTable(element, trs, rows)) {
      for (const row of rows)
        for (const cell of row) for (const block of cell.blocks) blocks.push(placed(block, place));
      return;
    }
    if (rows.length > 0)
      blocks.push({ kind: "table", rows, depth: place.depth, quote: place.quote });
  };

  const preformatted = (element: Element, place: Place) => {
    flush(place);
    const code = childOf(element, "code");
    const named = `${element.attributes["class"] ?? ""} ${code?.attributes["class"] ?? ""}`;
    const language = /\b(?:language|lang|highlight-source|brush:?)[-\s:]*([\w+#.-]{1,30})/.exec(
      named,
    )?.[1];
    const text = preText(element).replace(/^\n/, "");
    if (text.trim() !== "")
      blocks.push({ kind: "code", text, language, depth: place.depth, quote: place.quote });
  };

  const inline = (element: Element, place: Place) => {
    const { name, attributes } = element;
    if (name === "svg") for (const image of findAll(element, "image")) picture(image, place);
    else if (name === "br") runs.push({ text: "\n" });
    else if (name === "img" || name === "image") picture(element, place);
    else if (name === "input") checkbox(element);
    else if (name === "math") formula(element);
    else if (name === "sup") raise(element, place);
    else if (name === "q") {
      runs.push({ ...place.style, text: "“" });
      inside(element, place);
      runs.push({ ...place.style, text: "”" });
    } else {
      const style = { ...place.style, ...STYLES[name] };
      const { href } = attributes;
      if (
        name === "a" &&
        href !== undefined &&
        (!options.outward || /^[a-z][a-z\d+.-]*:/i.test(href))
      )
        style.href = href;
      inside(element, { ...place, style });
    }
  };

  const raise = (element: Element, place: Place) => {
    const before = runs.length;
    inside(element, place);
    const [only] = runs.slice(before);
    if (only && runs.length === before + 1) runs[before] = { ...only, text: raised(only.text) };
  };

  const picture = ({ attributes }: Element, place: Place) => {
    if (attributes["width"] === "1" || attributes["height"] === "1") return;
    const alt = attributes["alt"] ?? attributes["title"] ?? "";
    const source =
      attributes["src"] ??
      attributes["xlink:href"] ??
      attributes["href"] ??
      attributes["data-src"] ??
      "";
    const shown = options.picture
      ? options.picture(source, alt)
      : /^data:/i.test(source)
        ? "image"
        : source;
    if (shown) runs.push({ text: alt, image: shown, href: place.style.href });
    else if (alt) runs.push({ ...place.style, text: alt });
  };

  const checkbox = ({ attributes }: Element) => {
    if (attributes["type"]?.toLowerCase() === "checkbox" && marker !== undefined)
      runs.push({ raw: true, text: "checked" in attributes ? "[x] " : "[ ] " });
  };

  const formula = (element: Element) => {
    const latex = mathmlToLatex(element);
    const sign = element.attributes["display"] === "block" ? "$$" : "$";
    if (latex !== "") runs.push({ raw: true, text: `${sign}${latex}${sign}` });
  };

  inside(root, start);
  flush(start);
  return blocks;
}

function placed(block: Block, place: Place): Block {
  return "depth" in block
    ? { ...block, depth: block.depth + place.depth, quote: block.quote + place.quote }
    : block;
}

function rowsOf(table: Element): Element[] {
  return table.children.flatMap((child) => {
    if (!isElement(child)) return [];
    if (child.name === "tr") return [child];
    return child.name === "thead" || child.name === "tbody" || child.name === "tfoot"
      ? rowsOf(child)
      : [];
  });
}

function readRow(tr: Element, options: Options): Cell[] {
  return tr.children.flatMap((child) => {
    if (!isElement(child) || (child.name !== "td" && child.name !== "th") || isHidden(child))
      return [];
    return [
      {
        blocks: readFlow(child, { depth: 0, quote: 0, style: {} }, options),
        columns: spanOf(child.attributes["colspan"]),
        rows:
          child.attributes["rowspan"]?.trim() === "0"
            ? Infinity
            : spanOf(child.attributes["rowspan"]),
      },
    ];
  });
}
