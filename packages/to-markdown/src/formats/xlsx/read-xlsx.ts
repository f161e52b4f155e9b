import { tolerateDamage } from "../refuse-file.ts";
import type { Archive } from "../archive.ts";
import { type Block, paragraph, raised } from "../blocks.ts";
import type { FileContent, ReadOptions } from "../finish-file.ts";
import { type ImageStore, imageStore } from "../image-store.ts";
import { type OfficePackage, openPackage } from "../ooxml/open-package.ts";
import { readComments } from "../ooxml/read-comments.ts";
import { readChart } from "../ooxml/read-chart.ts";
import { readXml, localName } from "../read-xml.ts";
import {
  type Element,
  attributeOf,
  childOf,
  elementsOf,
  findAll,
  findIn,
  prefixedAttribute,
  readXmlTree,
  textIn,
} from "../xml-tree.ts";
import { type Formats, formatsOf } from "./format-value.ts";
import { gridBlocks, type SheetGrid } from "./grid-blocks.ts";
import { readEscapes, readSheet } from "./read-sheet.ts";

const MAX_SHEETS = 500;
/** The limit for all sheets together. */
const MAX_CELLS = 500_000;
const NO_CELLS: SheetGrid = { rows: new Map(), merges: [], count: 0, cut: false };
const MAX_STRING_CHARACTERS = 100_000_000;

type Relationships = Awaited<ReturnType<OfficePackage["relationships"]>>;

interface Book {
  office: OfficePackage;
  /** The relationships of the workbook itself. */
  relationships: Relationships;
  strings: string[];
  formats: Formats;
  images: ImageStore;
  warnings: string[];
}

interface Sheet {
  name: string;
  /** The path of its part in the archive. */
  path: string;
}

/** Reads Excel workbooks, one sheet per page. Source: ECMA-376 part 1, 18. */
export async function readXlsx(
  bytes: Uint8Array,
  { extractImages, signal }: ReadOptions,
): Promise<FileContent> {
  const office = await openPackage(bytes, "xl/workbook.xml", signal);
  const { archive, main } = office;
  const relationships = await office.relationships(main);
  const workbook = elementsOf(await readXmlTree(archive.text(main)))[0];
  const warnings: string[] = [];
  const shared = await readSharedParts(archive, relationships, workbook, warnings);
  const images = imageStore(extractImages);
  const book = { office, relationships, ...shared, images, warnings };
  const blocks: Block[] = [];
  let cells = 0;
  const sheets = elementsOf(childOf(workbook, "sheets"), "sheet");
  for (const element of sheets.slice(0, MAX_SHEETS)) {
    signal?.throwIfAborted();
    const sheet = findSheet(book, element);
    if (!sheet) continue;
    const grid = await readGrid(book, sheet, MAX_CELLS - cells);
    cells += grid.count;
    if (blocks.length > 0) blocks.push({ kind: "page" });
    blocks.push(
      { kind: "heading", level: 2, runs: [{ text: sheet.name }] },
      ...gridBlocks(grid),
      ...(await readNotes(book, sheet)),
    );
  }
  return {
    blocks,
    layout: "sheets",
    title: office.title,
    author: office.author,
    language: office.language,
    warnings,
    images: await images.collect(archive, warnings),
  };
}

/** Reads the parts that all sheets refer to: texts and number formats. */
export async function readSharedParts(
  archive: Archive,
  relationships: Relationships,
  workbook: Element | undefined,
  warnings: string[],
): Promise<Pick<Book, "strings" | "formats">> {
  const partOf = (type: string) =>
    [...relationships.values()].find(
      (relationship) => relationship.type === type && !relationship.external,
    )?.target;
  const strings = await tolerateDamage(
    () => readStrings(archive, partOf("sharedStrings")),
    [],
    "The texts of the cells",
    warnings,
  );
  const date1904 = /^(?:1|true)$/.test(
    attributeOf(childOf(workbook, "workbookPr"), "date1904") ?? "",
  );
  return { strings, formats: await formatsOf(archive, partOf("styles"), date1904) };
}

/** @returns undefined for a sheet that is hidden or not stored. */
export function findSheet(
  { office, relationships, warnings }: Pick<Book, "office" | "relationships" | "warnings">,
  element: Element,
): Sheet | undefined {
  const name = attributeOf(element, "name") ?? "";
  const path = relationships.get(prefixedAttribute(element, "id") ?? "")?.target;
  if (/hidden/i.test(attributeOf(element, "state") ?? "")) {
    warnings.push(`The sheet "${name}" is hidden and was left out.`);
    return undefined;
  }
  return path && office.archive.has(path) ? { name, path } : undefined;
}

async function readGrid(
  { office, strings, formats, warnings }: Book,
  { name, path }: Sheet,
  maxCells: number,
): Promise<SheetGrid> {
  const grid = await tolerateDamage(
    () => readSheet(office.archive, path, strings, formats, maxCells),
    NO_CELLS,
    `The sheet "${name}"`,
    warnings,
  );
  if (grid.cut)
    warnings.push(
      `The sheet "${name}" was cut: only ${MAX_CELLS} cells of a file are read.`,
    );
  if (grid.uncalculated)
    warnings.push(
      `The sheet "${name}" has formulas without a stored result (${grid.uncalculated}), which are shown themselves. Open the file in a spreadsheet program and save it, so that it contains the results.`,
    );
  return grid;
}

/** Reads the drawings and comments of a sheet. */
async function readNotes(
  { office, images, warnings }: Book,
  { name, path }: Sheet,
): Promise<Block[]> {
  const drawings = await tolerateDamage(
    () => readDrawings(office, path, images),
    [],
    `What lies over the cells of the sheet "${name}"`,
    warnings,
  );
  const comments = await tolerateDamage(
    () => readComments(office, path),
    [],
    `The comments on the sheet "${name}"`,
    warnings,
  );
  return [...drawings, ...comments];
}

/** Reads the shared texts of cells, without phonetic readings. */
async function readStrings(archive: Archive, path: string | undefined): Promise<string[]> {
  const strings: string[] = [];
  if (!path || !archive.has(path)) return strings;
  let text = "";
  /** The text of the open run, and whether it is raised. */
  let run = "";
  let isRaised = false;
  let inText = false;
  let aloud = 0;
  let total = 0;
  await readXml(archive.text(path), {
    open(name, attributes) {
      const local = localName(name);
      if (local === "rPh") aloud += 1;
      if (local === "r") isRaised = false;
      if (local === "vertAlign") isRaised = attributes["val"] === "superscript";
      inText = local === "t" && aloud === 0;
    },
    text: (piece) => (run += inText && total < MAX_STRING_CHARACTERS ? piece : ""),
    close(name) {
      const local = localName(name);
      inText = false;
      if (local === "t") {
        text += isRaised ? raised(run) : run;
        run = "";
      }
      if (local === "r") isRaised = false;
      if (local === "rPh") aloud -= 1;
      if (local !== "si") return;
      total += text.length;
      strings.push(readEscapes(text));
      text = "";
    },
  });
  return strings;
}

/** Reads the objects above the cells: text boxes, charts, pictures. */
async function readDrawings(
  office: OfficePackage,
  sheet: string,
  images: ImageStore,
): Promise<Block[]> {
  const blocks: Block[] = [];
  for (const { type, target, external } of (await office.relationships(sheet)).values()) {
    if (type !== "drawing" || external || !office.archive.has(target)) continue;
    const relationships = await office.relationships(target);
    const drawing = elementsOf(await readXmlTree(office.archive.text(target)))[0];
    for (const anchor of elementsOf(drawing)) {
      blocks.push(...textBoxes(anchor));
      const alt = attributeOf(findIn(anchor, "cNvPr"), "descr") ?? "";
      for (const picture of findAll(anchor, "blip")) {
        const part = relationships.get(prefixedAttribute(picture, "embed") ?? "");
        if (part && !part.external)
          blocks.push(paragraph([{ text: alt, image: images.show(part.target, alt) }]));
      }
      for (const chart of findAll(anchor, "chart")) {
        const part = relationships.get(prefixedAttribute(chart, "id") ?? "");
        if (part && office.archive.has(part.target))
          blocks.push(...(await readChart(office.archive, part.target)));
      }
    }
  }
  return blocks;
}

function textBoxes(anchor: Element): Block[] {
  return findAll(anchor, "txBody").flatMap((body) =>
    elementsOf(body, "p").flatMap((line) => {
      const text = findAll(line, "t").map(textIn).join("");
      return text.trim() === "" ? [] : [paragraph([{ text }])];
    }),
  );
}
