import type { Block } from "../blocks.ts";
import type { FileContent, ReadOptions } from "../finish-file.ts";
import { imageStore } from "../image-store.ts";
import { openPackage, type OfficePackage } from "../ooxml/open-package.ts";
import { readChart, readDiagram } from "../ooxml/read-chart.ts";
import { withRunningText } from "../running-text.ts";
import { arePagesStated } from "../stated-pages.ts";
import { tolerateDamage } from "../refuse-file.ts";
import {
  type Element,
  attributeOf,
  childOf,
  prefixedAttribute,
  readXmlTree,
  textIn,
} from "../xml-tree.ts";
import { type Body, bodyReader } from "./read-body.ts";
import { type HeaderIds, noteHeaders, readHeaders } from "./read-headers.ts";
import { readNumbering } from "./read-numbering.ts";
import { flat, type Piece } from "./read-runs.ts";
import { readStyles } from "./read-styles.ts";
import { type DocxParts, type Later, readNotes } from "./reading.ts";

const BODY = new Set(["p", "tbl", "altChunk", "sectPr"]);
/** Word's internal elements, and content that was deleted or moved away. */
const SKIPPED = new Set(
  "proofErr bookmarkStart bookmarkEnd sz szCs lang color spacing ind jc tcBorders tblBorders tblW tblGrid tblLook tblCellMar tcW tcMar shd tabs kern del moveFrom rPrChange pPrChange tcPrChange tblPrChange trPrChange sectPrChange numberingChange permStart permEnd commentRangeStart commentRangeEnd commentReference".split(
    " ",
  ),
);
type Relationships = DocxParts["relationships"];

/**
 * Reads Word documents. Source: ECMA-376 part 1, 17.
 * @throws FileError `file_damaged`, `too_complex`.
 */
export async function readDocx(
  bytes: Uint8Array,
  { extractImages, signal, readPart }: ReadOptions,
): Promise<FileContent> {
  const office = await openPackage(bytes, "word/document.xml", signal);
  const { archive, main } = office;
  const relationships = await office.relationships(main);
  const images = imageStore(extractImages);
  const warnings: string[] = [];
  const later: Later[] = [];
  const parts: DocxParts = {
    ...(await readParts(office, relationships, warnings)),
    relationships,
    showImage: (path, alt) => images.show(path, alt),
    later,
  };
  const body = bodyReader(parts);
  const headers: HeaderIds = { header: new Set(), footer: new Set() };
  let taken = 0;
  const take = (element: Element) => {
    noteHeaders(
      element.name === "sectPr" ? element : childOf(element, "pPr", "sectPr"),
      headers,
    );
    if (element.name === "sectPr") return;
    taken += 1;
    takeBlock(element, body, later);
  };
  const readText = () =>
    readXmlTree(archive.text(main), { skip: SKIPPED, each: { names: BODY, take } });
  // text before a damaged place is kept, if there is any
  await readText().catch((error: unknown) =>
    taken > 0
      ? tolerateDamage(
          () => Promise.reject(error),
          undefined,
          "The end of the text",
          warnings,
        )
      : Promise.reject(error),
  );
  await tolerateDamage(
    () => fillLater(later, office, relationships),
    undefined,
    "A chart or diagram",
    warnings,
  );
  await readChunks(later, { office, relationships, readPart, warnings });
  const running = (kind: "header" | "footer") =>
    tolerateDamage(
      () => readHeaders(headers[kind], office, parts),
      [],
      `The ${kind}s`,
      warnings,
    );
  const blocks = joinCode(flat(body.finish()));
  const isStated = arePagesStated(blocks, {
    ...body.record,
    ...(await tolerateDamage(() => readCounts(office), {}, "The statistics", warnings)),
  });
  return {
    layout: isStated && !body.record.unclear ? "pages" : "none",
    blocks: withRunningText(blocks, await running("header"), await running("footer")),
    title: office.title,
    author: office.author,
    language: office.language,
    warnings,
    images: await images.collect(archive, warnings),
  };
}

/** What the program that saved the file counted. Source: ECMA-376 part 1, 22.2. */
async function readCounts({
  archive,
  relationships,
}: OfficePackage): Promise<{ pages?: number; characters?: number }> {
  const path = [...(await relationships("")).values()].find(
    ({ type }) => type === "extended-properties",
  )?.target;
  if (path === undefined || !archive.has(path)) return {};
  const properties = childOf(await readXmlTree(archive.text(path)), "Properties");
  const number = (name: string) => {
    const text = textIn(childOf(properties, name)).trim();
    return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  };
  const [pages, characters] = [number("Pages"), number("Characters")];
  return {
    ...(pages !== undefined && { pages }),
    ...(characters !== undefined && { characters }),
  };
}

/** Reads the parts besides the text. Leaves out damaged ones. */
async function readParts(
  office: OfficePackage,
  relationships: Relationships,
  warnings: string[],
): Promise<Pick<DocxParts, "styles" | "numbering" | "notes">> {
  const partOf = (type: string) =>
    [...relationships.values()].find((each) => each.type === type && !each.external)
      ?.target;
  const notesOf = (type: string) =>
    tolerateDamage(
      () => readNotes(office, partOf(type)),
      NO_NOTES,
      `The ${type}`,
      warnings,
    );
  return {
    styles: await tolerateDamage(
      () => readStyles(office.archive, partOf("styles")),
      new Map(),
      "The styles",
      warnings,
    ),
    numbering: await tolerateDamage(
      () => readNumbering(office.archive, partOf("numbering")),
      { next: () => undefined },
      "The numbers of lists",
      warnings,
    ),
    notes: { footnote: await notesOf("footnotes"), endnote: await notesOf("endnotes") },
  };
}

const NO_NOTES = { elements: new Map(), relationships: new Map() };

function takeBlock(element: Element, body: Body, later: Later[]): void {
  if (element.name === "altChunk") {
    const into: Piece[] = [];
    body.push(into);
    later.push({ kind: "chunk", element, into });
  } else body.read(element);
}

async function fillLater(
  later: readonly Later[],
  office: OfficePackage,
  relationships: Relationships,
): Promise<void> {
  for (const { kind, element, into } of later) {
    if (kind === "chunk") continue;
    const id =
      prefixedAttribute(element, kind === "diagram" ? "dm" : "id") ??
      attributeOf(element, "id") ??
      "";
    const target = relationships.get(id);
    if (!target || target.external || !office.archive.has(target.target)) continue;
    if (kind === "chart") into.push(...(await readChart(office.archive, target.target)));
    else if (kind === "diagram")
      into.push(...(await readDiagram(office.archive, target.target)));
  }
}

/** Joins the paragraphs of a code listing, which has one for each line. */
function joinCode(blocks: readonly Block[]): Block[] {
  const joined: Block[] = [];
  let lines: string[] = [];
  const flush = () => {
    if (lines.some((line) => line.trim() !== ""))
      joined.push({ kind: "code", text: lines.join("\n"), depth: 0, quote: 0 });
    lines = [];
  };
  for (const block of blocks) {
    if (block.kind === "code") lines.push(block.text);
    else {
      flush();
      joined.push(block);
    }
  }
  flush();
  return joined;
}

const MAX_CHUNKS = 1_000;
const MAX_CHUNK_BYTES = 20 * 2 ** 20;
const MAX_TOTAL_BYTES = 100 * 2 ** 20;

interface ChunkSource {
  office: OfficePackage;
  relationships: DocxParts["relationships"];
  readPart: ReadOptions["readPart"];
  warnings: string[];
}

/**
 * Reads the documents that a document imports where it is opened: web pages, rich text, Word. What
 * cannot be read is named in a warning. Source: ECMA-376 part 1, 17.17.2.
 */
async function readChunks(later: readonly Later[], source: ChunkSource): Promise<void> {
  const { office, relationships, readPart, warnings } = source;
  const chunks = later.filter(({ kind }) => kind === "chunk");
  let left = MAX_TOTAL_BYTES;
  let unread = Math.max(0, chunks.length - MAX_CHUNKS);
  for (const { element, into } of chunks.slice(0, MAX_CHUNKS)) {
    const id = prefixedAttribute(element, "id") ?? attributeOf(element, "id") ?? "";
    const { target = "", external = true } = relationships.get(id) ?? {};
    const read = async () => {
      if (external || !office.archive.has(target) || left <= 0) return undefined;
      const bytes = await office.archive.bytes(target, MAX_CHUNK_BYTES);
      left -= bytes.length;
      return readPart?.(bytes, target);
    };
    const none: Block[] = [];
    const blocks = await tolerateDamage(
      read,
      none,
      `The imported part ${target}`,
      warnings,
    );
    if (blocks) for (const block of withoutPictures(blocks)) into.push(block);
    else unread += 1;
  }
  if (unread > 0)
    warnings.push(`${unread} imported parts were left out: they are missing or too many.`);
}

/** Pictures of an imported part have names of their own, which the document may use, too. */
function withoutPictures(blocks: readonly Block[]): Block[] {
  return blocks.map((block) => {
    if (block.kind === "table")
      return {
        ...block,
        rows: block.rows.map((row) =>
          row.map((cell) => ({ ...cell, blocks: withoutPictures(cell.blocks) })),
        ),
      };
    return "runs" in block
      ? { ...block, runs: block.runs.map(({ image: _, ...run }) => run) }
      : block;
  });
}
