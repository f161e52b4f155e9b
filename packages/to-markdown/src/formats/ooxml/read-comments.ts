import { type Block, paragraph } from "../blocks.ts";
import {
  type Element,
  attributeOf,
  childOf,
  elementsOf,
  findAll,
  findIn,
  readXmlTree,
  textIn,
} from "../xml-tree.ts";
import type { OfficePackage } from "./open-package.ts";

const MAX_COMMENTS = 5_000;

/**
 * The comments on a sheet or a slide, each as a paragraph with its author and place. Source:
 * ECMA-376 part 1, 18.7 and 19.4; [MS-XLSX] 2.6.205; [MS-PPTX] 2.6.3.
 */
export async function readComments(office: OfficePackage, part: string): Promise<Block[]> {
  const all = [...(await office.relationships(part)).values()].filter(
    ({ target, external }) => !external && office.archive.has(target),
  );
  const threads = all.filter(({ type }) => type === "threadedComment");
  // programs store a thread also as a comment of the older kind
  const parts =
    threads.length > 0
      ? threads
      : all.filter(({ type }) => type === "comments" || type === "comment");
  if (parts.length === 0) return [];
  const authors = await readAuthors(office);
  const blocks: Block[] = [];
  for (const { target } of parts) {
    const root = elementsOf(await readXmlTree(office.archive.text(target)))[0];
    const own = findAll(childOf(root, "authors"), "author").map(textIn);
    for (const comment of [
      ...findAll(root, "comment"),
      ...findAll(root, "threadedComment"),
      ...findAll(root, "cm"),
    ].slice(0, MAX_COMMENTS)) {
      const id = attributeOf(comment, "authorId") ?? attributeOf(comment, "personId") ?? "";
      const text = textOfComment(comment);
      const who = [authors.get(id) ?? own[Number(id)], attributeOf(comment, "ref")]
        .filter(Boolean)
        .join(", ");
      if (text !== "")
        blocks.push(
          paragraph([
            { text: who === "" ? "Comment:" : `Comment (${who}):`, bold: true },
            { text: ` ${text}` },
          ]),
        );
    }
  }
  return blocks;
}

function textOfComment(comment: Element): string {
  const holder = findIn(comment, "txBody") ?? childOf(comment, "text") ?? comment;
  const lines = findAll(holder, "p");
  const texts = findAll(holder, "t");
  if (lines.length > 0)
    return lines
      .map((line) => findAll(line, "t").map(textIn).join(""))
      .join("\n")
      .trim();
  return (texts.length > 0 ? texts.map(textIn).join("") : textIn(holder)).trim();
}

/** Authors by id, where the file stores them separately. */
async function readAuthors(office: OfficePackage): Promise<Map<string, string>> {
  const authors = new Map<string, string>();
  for (const { type, target, external } of (
    await office.relationships(office.main)
  ).values()) {
    if (
      external ||
      !/^(?:person|persons|commentAuthors|authors)$/.test(type) ||
      !office.archive.has(target)
    )
      continue;
    const root = elementsOf(await readXmlTree(office.archive.text(target)))[0];
    for (const person of elementsOf(root))
      authors.set(
        attributeOf(person, "id") ?? "",
        attributeOf(person, "displayName") ?? attributeOf(person, "name") ?? "",
      );
  }
  return authors;
}
