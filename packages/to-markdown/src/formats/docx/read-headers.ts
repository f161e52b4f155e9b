import type { Block } from "../blocks.ts";
import type { OfficePackage } from "../ooxml/open-package.ts";
import {
  type Element,
  attributeOf,
  childOf,
  elementsOf,
  readXmlTree,
} from "../xml-tree.ts";
import { bodyReader } from "./read-body.ts";
import { flat } from "./read-runs.ts";
import { type DocxParts, blocksIn } from "./reading.ts";

/** More sections than that repeat their headers. */
const MAX_PARTS = 60;

/** The headers and footers that sections show, by the ids of their parts. */
export interface HeaderIds {
  header: Set<string>;
  footer: Set<string>;
}

/** Notes the headers and footers of a section. Source: ECMA-376 part 1, 17.10. */
export function noteHeaders(section: Element | undefined, ids: HeaderIds): void {
  const hasFirst = childOf(section, "titlePg") !== undefined;
  for (const reference of elementsOf(section)) {
    const kind = /^(header|footer)Reference$/.exec(reference.name)?.[1] as
      | keyof HeaderIds
      | undefined; // the expression has these two only
    if (!kind || (attributeOf(reference, "type") === "first" && !hasFirst)) continue;
    ids[kind].add(attributeOf(reference, "id") ?? "");
  }
}

/** Reads the headers or footers of these ids, without the numbers of their pages. */
export async function readHeaders(
  ids: ReadonlySet<string>,
  office: OfficePackage,
  parts: DocxParts,
): Promise<Block[]> {
  const blocks: Block[] = [];
  for (const id of [...ids].slice(0, MAX_PARTS)) {
    const path = parts.relationships.get(id)?.target ?? "";
    if (!office.archive.has(path)) continue;
    const root = elementsOf(await readXmlTree(office.archive.text(path)))[0];
    const body = bodyReader({
      ...parts,
      relationships: await office.relationships(path),
      // a logo on every page says nothing, and charts do not stand there
      showImage: () => "",
      later: [],
    });
    if (root) for (const element of blocksIn(root)) body.read(element);
    for (const block of flat(body.finish()))
      if (block.kind !== "page") blocks.push(text(block));
  }
  return blocks;
}

/** A header is no heading of the text, and its pictures are left out. */
function text(block: Block): Block {
  if (!("runs" in block)) return block;
  const runs = block.runs.filter(({ image }) => image === undefined);
  return { kind: "paragraph", runs, depth: 0, quote: 0 };
}
