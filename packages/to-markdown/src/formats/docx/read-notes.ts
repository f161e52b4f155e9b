import type { OfficePackage, Relationship } from "../ooxml/open-package.ts";
import {
  type Element,
  attributeOf,
  childOf,
  elementsOf,
  readXmlTree,
} from "../xml-tree.ts";

/** Footnotes or endnotes by id, with the targets of their links. */
export interface Notes {
  elements: Map<string, Element>;
  relationships: Map<string, Relationship>;
}

export async function readNotes(
  office: OfficePackage,
  path: string | undefined,
): Promise<Notes> {
  if (!path || !office.archive.has(path))
    return { elements: new Map(), relationships: new Map() };
  const root = elementsOf(await readXmlTree(office.archive.text(path)))[0];
  const elements = new Map<string, Element>();
  for (const note of elementsOf(root)) {
    const type = attributeOf(note, "type");
    // separators are notes of other types
    if ((type === undefined || type === "normal") && childOf(note, "p"))
      elements.set(attributeOf(note, "id") ?? "", note);
  }
  return { elements, relationships: await office.relationships(path) };
}
