import { type Block, paragraph, type Run, textOf } from "../blocks.ts";
import { type ListMarker, listMarker } from "../list-labels.ts";
import { splitAtPages } from "../split-at-pages.ts";
import { type Element, attributeOf, elementsOf, textIn } from "../xml-tree.ts";
import { readOdfRuns } from "./odf-runs.ts";
import type { OdfStyle } from "./odf-styles.ts";
import { readOdfTable } from "./odf-table.ts";
import { endOdfPage, type OdfPlace, type OdfReading, runSourceOf } from "./reading.ts";

/** Converts the elements of a body to blocks in order: paragraphs, lists, tables, frames. */
export function readOdfElements(
  reading: OdfReading,
  elements: readonly Element[],
  place: OdfPlace,
  blocks: Block[],
): void {
  for (const element of elements) readElement(reading, element, place, blocks);
}

function readElement(
  reading: OdfReading,
  element: Element,
  place: OdfPlace,
  blocks: Block[],
): void {
  switch (element.name) {
    case "h":
    case "p":
      return readLine(reading, element, place, blocks);
    case "list":
      return readList(reading, element, place, blocks);
    case "table":
      return readTable(reading, element, place, blocks);
    case "soft-page-break":
      reading.pagesEnd.rendered = true;
      if (place.pages && blocks.length > 0) endOdfPage(reading, blocks);
      return;
    case "control": {
      const text = reading.controls.get(attributeOf(element, "control") ?? "");
      if (text !== undefined) blocks.push(paragraph([{ text }], { depth: place.depth }));
      return;
    }
    case "section":
      // a section may be hidden; a condition is not known here
      if (attributeOf(element, "display") === "none") return;
      return readOdfElements(reading, elementsOf(element), place, blocks);
    case "index-body":
    case "index-title":
    case "text-box":
    case "table-of-content":
    case "g":
      return readOdfElements(reading, elementsOf(element), place, blocks);
    case "frame":
    case "custom-shape":
    case "rect":
      return readOdfFrame(reading, element, place, blocks);
    default:
      if (/(?:index|bibliography)$/.test(element.name))
        readOdfElements(reading, elementsOf(element), place, blocks);
  }
}

function readTable(
  reading: OdfReading,
  element: Element,
  place: OdfPlace,
  blocks: Block[],
): void {
  const { rows, pagesOn, pages } = readOdfTable(element, (cell) => {
    const inner: Block[] = [];
    readOdfElements(reading, elementsOf(cell), { depth: 0, pages: false }, inner);
    return inner;
  });
  const style = reading.styles.of(attributeOf(element, "style-name"));
  if (place.pages && style?.breakBefore && blocks.length > 0) endOdfPage(reading, blocks);
  if (rows.length > 0)
    blocks.push({
      kind: "table",
      rows,
      depth: place.depth,
      quote: 0,
      ...(pages > 0 && { pagesOn }),
    });
  if (pages === 0) return;
  reading.pagesEnd.rendered = true;
  if (place.pages) for (let page = 0; page < pages; page += 1) endOdfPage(reading, blocks);
  else reading.pagesEnd.unclear = true;
}

/** Adds a paragraph or heading, then the frames attached to it. */
function readLine(
  reading: OdfReading,
  element: Element,
  place: OdfPlace,
  blocks: Block[],
): void {
  const style = reading.styles.of(attributeOf(element, "style-name"));
  if (place.pages && style?.breakBefore && blocks.length > 0) endOdfPage(reading, blocks);
  const attached: Element[] = [];
  const ends = new Set<Run>();
  const marked = readOdfRuns(element, {
    ...runSourceOf(reading),
    attach: (frame) => attached.push(frame),
    pageBreak() {
      const end = { text: "" };
      ends.add(end);
      return end;
    },
  });
  if (ends.size > 0) reading.pagesEnd.rendered = true;
  const make = lineMaker(element, style, place);
  const isText = element.name === "p" && place.marker === undefined && !style?.heading;
  const pages = place.pages ? marked.flatMap((run, at) => (ends.has(run) ? [at] : [])) : [];
  const parts = splitAtPages(
    marked,
    pages.map((at) => ({ at, exact: false })),
    isText && !style?.code,
  );
  for (const [index, part] of parts.entries()) {
    if (index > 0) endOdfPage(reading, blocks);
    const runs = part.filter((run) => !ends.has(run));
    const filled =
      textOf(runs).trim() !== "" || runs.some(({ image }) => image !== undefined);
    if (filled && !style?.hidden) make(runs, blocks);
  }
  for (const frame of attached) readOdfFrame(reading, frame, place, blocks);
  if (place.pages && style?.breakAfter) endOdfPage(reading, blocks);
}

/** Adds the text of a paragraph or heading as what it is. */
function lineMaker(element: Element, style: OdfStyle | undefined, place: OdfPlace) {
  const level =
    element.name === "h"
      ? Number(attributeOf(element, "outline-level") ?? 1)
      : style?.heading;
  return (runs: Run[], blocks: Block[]) => {
    if (level !== undefined && place.marker === undefined)
      blocks.push({ kind: "heading", level, runs });
    else if (style?.code && place.depth === 0) pushCode(blocks, textOf(runs));
    else {
      const label = place.label ? [{ text: `${place.label} ` }] : [];
      blocks.push(
        paragraph([...label, ...runs], { depth: place.depth, marker: place.marker }),
      );
    }
  };
}

/** Adds an embedded object or a picture, and the text of a box. */
export function readOdfFrame(
  reading: OdfReading,
  frame: Element,
  place: OdfPlace,
  blocks: Block[],
): void {
  const inner = elementsOf(frame).flatMap((child) =>
    child.name === "text-box" ? elementsOf(child) : child.name === "image" ? [] : [child],
  );
  const object = attributeOf(elementsOf(frame, "object")[0], "href")?.replace(/^\.\//, "");
  if (object !== undefined) {
    for (const block of reading.readObject(object)) blocks.push(block);
    return;
  }
  // an embedded table may include a picture of itself
  if (!inner.some(({ name }) => name === "table")) readImage(reading, frame, place, blocks);
  readOdfElements(reading, inner, { ...place, pages: false }, blocks);
}

function readImage(
  reading: OdfReading,
  frame: Element,
  place: OdfPlace,
  blocks: Block[],
): void {
  const [image] = elementsOf(frame, "image");
  if (!image) return;
  const path = attributeOf(image, "href")?.replace(/^\.\//, "") ?? "";
  const alt = elementsOf(frame)
    .filter(({ name }) => name === "title" || name === "desc")
    .map(textIn)
    .join(" ")
    .trim();
  const shown = /^https?:/.test(path) ? path : reading.showImage(path, alt);
  if (shown !== undefined)
    blocks.push(paragraph([{ text: alt, image: shown }], { depth: place.depth }));
}

function readList(
  reading: OdfReading,
  list: Element,
  place: OdfPlace,
  blocks: Block[],
): void {
  const { styles, numbers } = reading;
  const name = attributeOf(list, "style-name") ?? place.list;
  const depth = place.depth + 1;
  const start = styles.startOf(name, depth);
  let number = (continued(list, name, depth, numbers) ?? (start ?? 1) - 1) + 1;
  for (const item of elementsOf(list)) {
    if (item.name === "soft-page-break") readElement(reading, item, place, blocks);
    if (item.name !== "list-item" && item.name !== "list-header") continue;
    const own = Number(attributeOf(item, "start-value")) || number;
    const path = [...(place.numbers ?? []), own];
    const isHeader = item.name === "list-header";
    let mark: Partial<ListMarker> = isHeader
      ? {}
      : start === undefined
        ? { marker: "-" }
        : listMarker(styles.labelOf(name, path));
    for (const child of elementsOf(item)) {
      const before = blocks.length;
      const inner = { ...place, depth, list: name, numbers: path, ...mark };
      if (child.name === "list")
        readList(reading, child, { ...inner, marker: undefined, label: undefined }, blocks);
      else readElement(reading, child, inner, blocks);
      if (child.name !== "list" && blocks.length > before) mark = { marker: undefined };
    }
    if (!isHeader) {
      number = own + 1;
      for (const key of [idOf(list), `${name}/${depth}`]) numbers.set(key, own);
    }
  }
}

/** The last number of the list that a list goes on with. */
function continued(
  list: Element,
  name: string | undefined,
  depth: number,
  numbers: ReadonlyMap<string, number>,
): number | undefined {
  const other = attributeOf(list, "continue-list");
  if (other !== undefined) return numbers.get(`#${other}`);
  return attributeOf(list, "continue-numbering") === "true"
    ? numbers.get(`${name}/${depth}`)
    : undefined;
}

function idOf(list: Element): string {
  return `#${attributeOf(list, "id") ?? ""}`;
}

/** Adds a line to a code listing, which has a paragraph for each line. */
function pushCode(blocks: Block[], line: string): void {
  const last = blocks.at(-1);
  if (last?.kind === "code") last.text += `\n${line}`;
  else blocks.push({ kind: "code", text: line, depth: 0, quote: 0 });
}
