import { levenshtein } from "./edit-distance.ts";
import { tablesOf } from "./markdown-tables.ts";
import { sizeOf, type Tree, treeEditDistance } from "./tree-edit-distance.ts";

interface Node {
  tag: "body" | "table" | "tr" | "td";
  text: string;
}

function treeOf(tables: readonly string[][][]): Tree<Node> {
  const node = (tag: Node["tag"], children: Tree<Node>[], text = ""): Tree<Node> => ({
    value: { tag, text },
    children,
  });
  return node(
    "body",
    tables.map((rows) =>
      node(
        "table",
        rows.map((row) =>
          node(
            "tr",
            row.map((cell) => node("td", [], plain(cell))),
          ),
        ),
      ),
    ),
  );
}

/** The text of a cell without markup, because only the content is compared. */
const plain = (cell: string): string =>
  cell
    .replace(/<br\s*\/?>/gi, " ")
    .replace(/[*`_\\]/g, "")
    .replace(/\s+/g, " ")
    .trim();

/**
 * TEDS: tree edit similarity of all tables of two Markdown texts. Cells are compared by normalised
 * Levenshtein distance. Source: X. Zhong et al., "Image-based table recognition" (2020), as
 * opendataloader-bench uses it.
 * @returns undefined where the expected Markdown has no table
 */
export function tableSimilarity(truth: string, markdown: string): number | undefined {
  const expected = tablesOf(truth).tables;
  if (expected.length === 0) return undefined;
  const found = tablesOf(markdown).tables;
  if (found.length === 0) return 0;
  const [one, two] = [treeOf(expected), treeOf(found)];
  const distance = treeEditDistance(one, two, (a, b) => {
    if (a.tag !== b.tag) return 1;
    if (a.text === b.text) return 0;
    return levenshtein(a.text, b.text) / Math.max(a.text.length, b.text.length);
  });
  return Math.max(0, 1 - distance / Math.max(sizeOf(one), sizeOf(two)));
}
