import { levenshtein } from "./edit-distance.ts";
import { tablesOf } from "./markdown-tables.ts";
import { sizeOf, type Tree, treeEditDistance } from "./tree-edit-distance.ts";

interface Node {
  tag: "document" | "heading" | "content";
  text: string;
}

const HEADING = /^(#{1,6})\s+(.*)$/;

/** A flat tree: the document, its headings, all at one level, and the text below each. */
function treeOf(markdown: string): Tree<Node> {
  const root: Tree<Node> = { value: { tag: "document", text: "" }, children: [] };
  let parent = root;
  let content: string[] = [];
  const flush = () => {
    const text = content.join(" ").replace(/\s+/g, " ").trim();
    if (text !== "")
      parent.children.push({ value: { tag: "content", text }, children: [] });
    content = [];
  };
  for (const line of tablesOf(markdown).html.split(/\r?\n|\f/)) {
    const heading = HEADING.exec(line);
    if (!heading) {
      content.push(line);
      continue;
    }
    flush();
    parent = {
      value: { tag: "heading", text: (heading[2] ?? "").replace(/\s+/g, " ").trim() },
      children: [],
    };
    root.children.push(parent);
  }
  flush();
  return root;
}

const headings = (tree: Tree<Node>): number =>
  tree.children.filter((child) => child.value.tag === "heading").length;

/**
 * MHS: tree edit similarity of headings with the text below each. Source: opendataloader-bench,
 * evaluator_heading_level.
 * @returns undefined where the expected Markdown has no heading
 */
export function headingSimilarity(truth: string, markdown: string): number | undefined {
  const [one, two] = [treeOf(truth), treeOf(markdown)];
  if (headings(one) === 0) return undefined;
  if (headings(two) === 0) return 0;
  const known = new Map<string, number>();
  const distance = treeEditDistance(one, two, (a, b) => {
    if (a.tag !== b.tag) return 1;
    if (a.text === b.text) return 0;
    const key = `${a.text}\0${b.text}`;
    const cost =
      known.get(key) ??
      levenshtein(a.text, b.text) / Math.max(a.text.length, b.text.length);
    known.set(key, cost);
    return cost;
  });
  return Math.max(0, 1 - distance / Math.max(sizeOf(one), sizeOf(two)));
}
