import type { Archive } from "../archive.ts";
import { type Block, paragraph } from "../blocks.ts";
import { childOf, elementsOf, findAll, readXmlTree, textIn } from "../xml-tree.ts";

/** The texts of a diagram as list items. Source: ECMA-376 part 1, 21.4. */
export async function readDiagram(archive: Archive, path: string): Promise<Block[]> {
  const model = childOf(await readXmlTree(archive.text(path)), "dataModel");
  return elementsOf(childOf(model, "ptLst"), "pt").flatMap((point) => {
    const text = findAll(point, "p")
      .map((line) => findAll(line, "t").map(textIn).join(""))
      .filter((line) => line.trim() !== "")
      .join(" ");
    return text === "" ? [] : [paragraph([{ text }], { depth: 1, marker: "-" })];
  });
}
