import { type Element, isElement } from "../xml-tree.ts";

/** Paragraphs and tables of a container, also those in content controls. */
export function blocksIn(element: Element): Element[] {
  return element.children.flatMap((child) => {
    if (!isElement(child)) return [];
    return child.name === "p" || child.name === "tbl"
      ? [child]
      : /^(?:sdt|sdtContent|customXml|ins|moveTo|smartTag)$/.test(child.name)
        ? blocksIn(child)
        : [];
  });
}
