import type { Block } from "../blocks.ts";
import type { FileContent, ReadOptions } from "../finish-file.ts";
import { imageStore } from "../image-store.ts";
import { openPackage, type OfficePackage } from "../ooxml/open-package.ts";
import { readChart } from "../ooxml/read-chart.ts";
import { readDiagram } from "../ooxml/read-diagram.ts";
import { readHtml } from "../read-html.ts";
import { decodeHtml } from "../decode-html.ts";
import { tolerateDamage } from "../tolerate-damage.ts";
import { type Element, attributeOf, prefixedAttribute, readXmlTree } from "../xml-tree.ts";
import { type Body, bodyReader } from "./read-body.ts";
import { readNotes } from "./read-notes.ts";
import { readNumbering } from "./read-numbering.ts";
import type { Piece } from "./read-runs.ts";
import { readStyles } from "./read-styles.ts";
import type { DocxParts, Later } from "./reading.ts";

const BODY = new Set(["p", "tbl", "altChunk"]);
/** Word's internal elements, and content that was deleted or moved away. */
const SKIPPED = new Set(
  "proofErr bookmarkStart bookmarkEnd rFonts sz szCs lang color spacing ind jc tcBorders tblBorders tblW tblGrid tblLook tblCellMar tcW tcMar shd tabs kern del moveFrom rPrChange pPrChange tcPrChange tblPrChange trPrChange sectPrChange numberingChange permStart permEnd commentRangeStart commentRangeEnd commentReference".split(
    " ",
  ),
);
type Relationships = DocxParts["relationships"];

const MAX_CHUNK_BYTES = 20 * 2 ** 20;

/**
 * Reads Word documents. Source: ECMA-376 part 1, 17.
 * @throws FileError `file_damaged`, `too_complex`.
 */
export async function readDocx(
  bytes: Uint8Array,
  { extractImages, signal }: ReadOptions,
): Promise<FileContent> {
  const office = await openPackage(bytes, "word/document.xml", signal);
  const { archive, main } = office;
  const relationships = await office.relationships(main);
  const images = imageStore(extractImages);
  const warnings: string[] = [];
  const later: Later[] = [];
  const body = bodyReader({
    ...(await readParts(office, relationships, warnings)),
    relationships,
    showImage: (path, alt) => images.show(path, alt),
    later,
  });
  let taken = 0;
  const take = (element: Element) => {
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
  const blocks = joinCode(flat(body.finish()));
  return {
    blocks,
    title: office.title,
    author: office.author,
    language: office.language,
    warnings,
    images: await images.collect(archive, warnings),
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
    const id =
      prefixedAttribute(element, kind === "diagram" ? "dm" : "id") ??
      attributeOf(element, "id") ??
      "";
    const target = relationships.get(id);
    if (!target || target.external || !office.archive.has(target.target)) continue;
    if (kind === "chart") into.push(...(await readChart(office.archive, target.target)));
    else if (kind === "diagram")
      into.push(...(await readDiagram(office.archive, target.target)));
    else if (/\.(?:x?html?|mht)$/i.test(target.target))
      into.push(
        ...readHtml(decodeHtml(await office.archive.bytes(target.target, MAX_CHUNK_BYTES)))
          .blocks,
      );
  }
}

function flat(pieces: readonly Piece[]): Block[] {
  return pieces.flatMap((piece) => (Array.isArray(piece) ? flat(piece) : [piece]));
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
