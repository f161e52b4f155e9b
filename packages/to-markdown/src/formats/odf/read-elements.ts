import { type Block, paragraph, textOf } from "../blocks.ts";
import { type Element, attributeOf, elementsOf, textIn } from "../xml-tree.ts";
import { readOdfRuns } from "./odf-runs.ts";
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
      if (place.pages && blocks.length > 0) endOdfPage(reading, blocks);
      return;
    case "section":
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
  const rows = readOdfTable(element, (cell) => {
    const inner: Block[] = [];
    readOdfElements(reading, elementsOf(cell), { depth: 0, pages: false }, inner);
    return inner;
  });
  const style = reading.styles.of(attributeOf(element, "style-name"));
  if (place.pages && style?.breakBefore && blocks.length > 0) endOdfPage(reading, blocks);
  if (rows.length > 0) blocks.push({ kind: "table", rows, depth: place.depth, quote: 0 });
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
  let breaks = 0;
  const runs = readOdfRuns(element, {
    ...runSourceOf(reading),
    attach: (frame) => attached.push(frame),
    pageBreak: () => (breaks += 1),
  });
  if (place.pages) for (; breaks > 0; breaks -= 1) endOdfPage(reading, blocks);
  const filled =
    textOf(runs).trim() !== "" || runs.some(({ image }) => image !== undefined);
  const level =
    element.name === "h"
      ? Number(attributeOf(element, "outline-level") ?? 1)
      : style?.heading;
  if (filled && !style?.hidden) {
    if (level !== undefined && place.marker === undefined)
      blocks.push({ kind: "heading", level, runs });
    else if (style?.code && place.depth === 0) pushCode(blocks, textOf(runs));
    else blocks.push(paragraph(runs, { depth: place.depth, marker: place.marker }));
  }
  for (const frame of attached) readOdfFrame(reading, frame, place, blocks);
  if (place.pages && style?.breakAfter) endOdfPage(reading, blocks);
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
  const name = attributeOf(list, "style-name") ?? place.list;
  const depth = place.depth + 1;
  const start = reading.styles.startOf(name, depth);
  let number = start ?? 1;
  for (const item of elementsOf(list)) {
    if (item.name !== "list-item" && item.name !== "list-header") continue;
    const own = Number(attributeOf(item, "start-value")) || number;
    const mark = start === undefined ? "-" : `${own}.`;
    let marker = item.name === "list-header" ? undefined : mark;
    for (const child of elementsOf(item)) {
      const before = blocks.length;
      const inner = { ...place, depth, list: name, marker };
      if (child.name === "list")
        readList(reading, child, { ...inner, marker: undefined }, blocks);
      else readElement(reading, child, inner, blocks);
      if (child.name !== "list" && blocks.length > before) marker = undefined;
    }
    if (item.name === "list-item") number = own + 1;
  }
}

/** Adds a line to a code listing, which has a paragraph for each line. */
function pushCode(blocks: Block[], line: string): void {
  const last = blocks.at(-1);
  if (last?.kind === "code") last.text += `\n${line}`;
  else blocks.push({ kind: "code", text: line, depth: 0, quote: 0 });
}
