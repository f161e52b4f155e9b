import { type Archive, openArchive } from "../archive.ts";
import { type Block, paragraph } from "../blocks.ts";
import type { FileContent, ReadOptions } from "../finish-file.ts";
import { imageStore } from "../image-store.ts";
import { encrypted } from "../refuse-file.ts";
import { arePagesStated } from "../stated-pages.ts";
import { readOdfTable, readOdfGrid } from "./odf-table.ts";
import {
  attributeOf,
  childOf,
  type Element,
  elementsOf,
  findAll,
  findIn,
  readXmlTree,
  textIn,
} from "../xml-tree.ts";
import { readOdfStyles } from "./odf-styles.ts";
import { readControls } from "./odf-forms.ts";
import { readOdfElements, readOdfFrame } from "./read-elements.ts";
import { type OdfReading, startOdfReading, runSourceOf } from "./reading.ts";
import { withRunningText } from "../running-text.ts";
import { type SheetGrid, gridBlocks } from "../xlsx/grid-blocks.ts";
import { readOdfRuns } from "./odf-runs.ts";

const MAX_OBJECTS = 200;

/**
 * Reads OpenDocument texts, tables and presentations. Sheets and slides are pages. Source: OASIS
 * OpenDocument 1.3 part 3.
 */
export async function readOdf(
  bytes: Uint8Array,
  { extractImages, signal }: ReadOptions,
): Promise<FileContent> {
  const archive = await openArchive(bytes, signal);
  await refuseEncrypted(archive);
  const content = elementsOf(
    await readXmlTree(archive.text("content.xml"), {
      skip: new Set(["tracked-changes", "annotation", "scripts", "font-face-decls"]),
    }),
  )[0];
  const common = archive.has("styles.xml")
    ? elementsOf(await readXmlTree(archive.text("styles.xml")))[0]
    : undefined;
  const images = imageStore(extractImages);
  const objects = await readObjects(archive, content);
  const reading = startOdfReading({
    styles: readOdfStyles(common, content),
    showImage: (path, alt) => (archive.has(path) ? images.show(path, alt) : undefined),
    controls: readControls(content),
    readObject: (path) => objects.get(path) ?? [],
  });
  const body = elementsOf(childOf(content, "body"))[0];
  const warnings: string[] = [];
  const read = body ? readOdfBody(reading, body, warnings) : [];
  const meta = archive.has("meta.xml")
    ? findIn(await readXmlTree(archive.text("meta.xml")), "meta")
    : undefined;
  const isText = body?.name === "text";
  const blocks = isText
    ? withRunningText(
        read,
        readRunning(reading, common, /^header/),
        readRunning(reading, common, /^footer/),
      )
    : read;
  const text = (name: string) => textIn(childOf(meta, name)).trim() || undefined;
  return {
    blocks,
    layout: isText ? layoutOfText(reading, read, body, meta) : LAYOUTS[body?.name ?? ""],
    title: text("title"),
    author: text("creator") ?? text("initial-creator"),
    language: text("language"),
    warnings,
    images: await images.collect(archive, warnings),
  };
}

const LAYOUTS: Record<string, FileContent["layout"]> = {
  spreadsheet: "sheets",
  presentation: "slides",
};

/** Whether a text says where its pages end. Source: ODF 1.3 part 3, 4.3.2.18 and 5.6. */
function layoutOfText(
  { pagesEnd }: OdfReading,
  blocks: readonly Block[],
  body: Element,
  meta: Element | undefined,
): "pages" | "none" {
  const statistic = childOf(meta, "document-statistic");
  const number = (name: string) => {
    const value = attributeOf(statistic, name);
    return value === undefined ? undefined : Number(value);
  };
  const isStated = arePagesStated(blocks, {
    rendered: pagesEnd.rendered || attributeOf(body, "use-soft-page-breaks") === "true",
    pages: number("page-count"),
    characters: number("non-whitespace-character-count"),
  });
  return isStated && !pagesEnd.unclear ? "pages" : "none";
}

/** The headers or footers of a text's pages. Source: ODF 1.3 part 3, 16.10. */
function readRunning(
  reading: OdfReading,
  common: Element | undefined,
  kind: RegExp,
): Block[] {
  const blocks: Block[] = [];
  for (const page of elementsOf(childOf(common, "master-styles"), "master-page").slice(
    0,
    60,
  ))
    for (const part of elementsOf(page))
      if (kind.test(part.name) && attributeOf(part, "display") !== "false")
        readOdfElements(reading, elementsOf(part), { depth: 0, pages: false }, blocks);
  return blocks;
}

async function refuseEncrypted(archive: Archive): Promise<void> {
  if (!archive.has("META-INF/manifest.xml")) return;
  const manifest = await readXmlTree(archive.text("META-INF/manifest.xml"));
  if (findIn(manifest, "encryption-data")) throw encrypted();
}

/** Reads embedded charts, which are documents of their own with a table of their numbers. */
async function readObjects(
  archive: Archive,
  content: Element | undefined,
): Promise<Map<string, Block[]>> {
  const objects = new Map<string, Block[]>();
  for (const object of findAll(content, "object").slice(0, MAX_OBJECTS)) {
    const path = attributeOf(object, "href")?.replace(/^\.\//, "") ?? "";
    if (objects.has(path) || !archive.has(`${path}/content.xml`)) continue;
    const root = elementsOf(await readXmlTree(archive.text(`${path}/content.xml`)))[0];
    const chart = findIn(root, "chart");
    const table = findIn(chart, "table");
    const title = findAll(findIn(chart, "title"), "p").map(textIn).join(" ").trim();
    const rows = table
      ? readOdfTable(table, (cell) =>
          findAll(cell, "p").map((line) => paragraph([{ text: textIn(line) }])),
        ).rows
      : [];
    objects.set(path, [
      ...(title === "" ? [] : [paragraph([{ text: title, bold: true }])]),
      ...(rows.length === 0 ? [] : [{ kind: "table" as const, rows, depth: 0, quote: 0 }]),
    ]);
  }
  return objects;
}

const MAX_CELLS = 500_000;

/** Converts the body of a document to blocks, by the kind of the document. */
function readOdfBody(reading: OdfReading, body: Element, warnings: string[]): Block[] {
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
