import { levenshtein } from "./edit-distance.ts";
import { headingSimilarity } from "./heading-similarity.ts";
import { htmlTable, joinContinued, rowsOfHtml, tablesOf } from "./markdown-tables.ts";
import { textSimilarity } from "./text-similarity.ts";
import { sizeOf, type Tree, treeEditDistance } from "./tree-edit-distance.ts";

/** Similarities from 0 to 1; undefined where the expected Markdown has no such content. */
export interface Score {
  /** Text in reading order. */
  nid: number | undefined;
  /** Tables. */
  teds: number | undefined;
  /** Headings. */
  mhs: number | undefined;
}

/**
 * Joins continued tables, and makes the letters of formulas as any others, because some fonts
 * encode an italic x as U+1D465.
 */
const folded = (text: string): string =>
  joinContinued(text).replace(/[\u{1d400}-\u{1d7ff}]/gu, (letter) =>
    letter.normalize("NFKC"),
  );

function score(truth: string, markdown: string): Score {
  const [expected, found] = [folded(truth), folded(markdown)];
  return {
    nid: textSimilarity(expected, found),
    teds: tableSimilarity(expected, found),
    mhs: headingSimilarity(expected, found),
  };
}

/** The best of each score against several correct outputs. */
export function bestScore(truths: readonly string[], markdown: string): Score {
  const scores = truths.map((truth) => score(truth, markdown));
  const best = (key: keyof Score) => {
    const values = scores.map((each) => each[key]).filter((value) => value !== undefined);
    return values.length === 0 ? undefined : Math.max(...values);
  };
  return { nid: best("nid"), teds: best("teds"), mhs: best("mhs") };
}

/** The mean of each score over the documents that have it. */
export function meanOf(scores: readonly Score[]): Score {
  const mean = (key: keyof Score) => {
    const values = scores.map((each) => each[key]).filter((value) => value !== undefined);
    return values.length === 0
      ? undefined
      : values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  return { nid: mean("nid"), teds: mean("teds"), mhs: mean("mhs") };
}

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

const HTML_TABLE = /<table[^>]*?>.*?<\/table>/gis;
/** An empty header, its separator and the first row. */
const EMPTY_HEAD = /^[ \t]*\|[ \t|]*\|[ \t]*\n([ \t]*\|[ \t:|-]+\|[ \t]*)\n([ \t]*\|.*)$/gm;
const ENTITIES: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  nbsp: " ",
};

/**
 * Removes differences between programs that no reader sees: comments, positions of pictures,
 * internal links, the layout of HTML tables, empty headers, escapes, and all tags except those of
 * tables.
 */
export function comparable(markdown: string): string {
  return markdown
    .replace(/<!--.*?-->/gs, " ")
    .replace(/\s(?:class|style|id|width|align|valign)="[^"]*"/gi, "")
    .replace(HTML_TABLE, (table) => htmlTable(rowsOfHtml(table)))
    .replace(EMPTY_HEAD, "$2\n$1")
    .replace(/!\[[^\]]*\]\((?:<[^>\n]*>|[^()\n]|\([^()\n]*\))*\)/g, " ")
    .replace(/\[([^\]\n]*)\]\(#[^)\n]*\)/g, "$1")
    .replace(/(?<!\\)<(?!\/?t(?:able|r|d)>)\/?[a-z][^>\n]{0,500}>/gi, " ")
    .replace(/&(amp|lt|gt|quot|nbsp);/g, (_, name: string) => ENTITIES[name] ?? " ")
    .replace(/\\([!-/:-@[-`{}~])/g, "$1")
    .replace(/^#{1,6}[ \t]*$/gm, "");
}

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
