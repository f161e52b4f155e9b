import type { Block } from "../blocks.ts";
import { type SheetGrid, gridBlocks } from "../xlsx/grid-blocks.ts";
import {
  type Element,
  attributeOf,
  elementsOf,
  findAll,
  findIn,
  textIn,
} from "../xml-tree.ts";
import { readOdfRuns } from "./odf-runs.ts";
import { readOdfGrid } from "./odf-table.ts";
import { readOdfElements, readOdfFrame } from "./read-elements.ts";
import { type OdfReading, runSourceOf } from "./reading.ts";

const MAX_CELLS = 500_000;

/** Converts the body of a document to blocks, by the kind of the document. */
export function readOdfBody(
  reading: OdfReading,
  body: Element,
  warnings: string[],
): Block[] {
  if (body.name === "text") return readText(reading, body);
  if (body.name === "spreadsheet") return readSpreadsheet(reading, body, warnings);
  return readSlides(reading, body);
}

function readText(reading: OdfReading, body: Element): Block[] {
  const blocks: Block[] = [];
  readOdfElements(reading, elementsOf(body), { depth: 0, pages: true }, blocks);
  return [...blocks, ...reading.notes];
}

function readSpreadsheet(reading: OdfReading, body: Element, warnings: string[]): Block[] {
  const blocks: Block[] = [];
  let left = MAX_CELLS;
  for (const sheet of elementsOf(body, "table")) {
    const grid: SheetGrid = readOdfGrid(sheet, left);
    left -= grid.count;
    if (grid.cut) warnings.push(`Only ${MAX_CELLS} cells of the file were read.`);
    if (blocks.length > 0) blocks.push({ kind: "page" });
    blocks.push(
      { kind: "heading", level: 2, runs: [{ text: attributeOf(sheet, "name") ?? "" }] },
      ...gridBlocks(grid),
    );
    for (const shapes of elementsOf(sheet, "shapes"))
      for (const frame of elementsOf(shapes))
        readOdfFrame(reading, frame, { depth: 0, pages: false }, blocks);
  }
  return blocks;
}

function readSlides(reading: OdfReading, body: Element): Block[] {
  const blocks: Block[] = [];
  for (const [index, slide] of elementsOf(body, "page").entries()) {
    if (index > 0) blocks.push({ kind: "page" });
    const shapes = elementsOf(slide).filter(
      ({ name }) => name !== "notes" && name !== "forms",
    );
    const title = shapes.find(isTitle) ?? likelyTitle(shapes);
    if (title) blocks.push(titleBlock(reading, title));
    const rest = shapes.filter((shape) => shape !== title && !isFurniture(shape));
    readOdfElements(reading, rest, { depth: 0, pages: false }, blocks);
  }
  return blocks;
}

function titleBlock(reading: OdfReading, title: Element): Block {
  const source = runSourceOf(reading);
  const runs = findAll(title, "p").flatMap((line, at) => [
    ...(at > 0 ? [{ text: " " }] : []),
    ...readOdfRuns(line, source),
  ]);
  return { kind: "heading", level: 1, runs };
}

function isTitle(shape: Element): boolean {
  return attributeOf(shape, "class") === "title" && textIn(shape).trim() !== "";
}

/** Whether a shape is repeated on every slide. */
function isFurniture(shape: Element): boolean {
  return /^(?:page-number|date-time|footer|header)$/.test(
    attributeOf(shape, "class") ?? "",
  );
}

/** Finds a title that is drawn as a plain shape: such shapes are first and short. */
function likelyTitle(shapes: readonly Element[]): Element | undefined {
  const [first, ...rest] = shapes.filter((shape) =>
    /^(?:frame|custom-shape|rect)$/.test(shape.name),
  );
  const lines = findAll(first, "p").filter((line) => textIn(line).trim() !== "");
  return rest.length > 0 &&
    lines.length === 1 &&
    textIn(lines[0]).trim().length <= 100 &&
    !findIn(first, "list") &&
    !findIn(first, "image")
    ? first
    : undefined;
}
