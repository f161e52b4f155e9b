import { type Element, isElement } from "../xml-tree.ts";

const WRAPPER = /^(?:sdt|sdtContent|customXml|ins|moveTo|smartTag)$/;

/** The paragraphs and tables of a container, including those in content controls. */
export function blocksIn(element: Element): Element[] {
  return element.children.flatMap((child) => {
    if (!isElement(child)) return [];
    if (child.name === "p" || child.name === "tbl") return [child];
    return WRAPPER.test(child.name) ? blocksIn(child) : [];
  });
}
