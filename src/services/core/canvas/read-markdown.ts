import MarkdownIt, { type Token } from "markdown-it";
import {
  type Block,
  joinRuns,
  linkTo,
  type ListItem,
  type Look,
  type TextRun,
  type Table,
} from "./blocks.ts";

/** Deeper nesting is dropped, because each level is a call on the stack. */
const MAX_NESTING = 60;

/**
 * Parses GitHub's Markdown into blocks. Raw HTML becomes text and images become links, so that
 * nothing is run or fetched. The parser takes linear time, also for endless brackets and asterisks.
 */
export function readMarkdown(markdown: string): Block[] {
  const parser = new MarkdownIt({ html: true, maxNesting: MAX_NESTING });
  return blocksOf(nest(parser.parse(markdown, {})));
}

/** A token with the tokens between its start and its end. */
interface Node {
  token: Token;
  children: Node[];
}

function nest(tokens: readonly Token[]): Node[] {
  const root: Node[] = [];
  const open = [root];
  for (const token of tokens) {
    if (token.nesting < 0) {
      open.pop();
      continue;
    }
    const node: Node = { token, children: [] };
    open.at(-1)?.push(node);
    if (token.nesting > 0) open.push(node.children);
  }
  return root;
}

function blocksOf(nodes: readonly Node[]): Block[] {
  return nodes.flatMap(blockOf);
}

function blockOf({ token, children }: Node): Block[] {
  switch (token.type) {
    case "heading_open":
      return [
        { kind: "heading", depth: Number(token.tag.slice(1)), runs: runsIn(children) },
      ];
    case "paragraph_open":
      return [{ kind: "paragraph", runs: runsIn(children) }];
    case "html_block":
      return token.content.trim()
        ? [{ kind: "paragraph", runs: [{ text: token.content.trimEnd() }] }]
        : [];
    case "bullet_list_open":
    case "ordered_list_open":
      return [listOf(token, children)];
    case "table_open":
      return [tableOf(children)];
    case "fence":
    case "code_block":
      return [codeOf(token)];
    case "blockquote_open":
      return [{ kind: "quote", blocks: blocksOf(children) }];
    case "hr":
      return [{ kind: "rule" }];
    default:
      return [];
  }
}

function codeOf({ info, content }: Token): Block {
  const [language = ""] = info.trim().split(/\s/);
  return { kind: "code", language, text: content.replace(/\n$/, "") };
}

function listOf(token: Token, items: readonly Node[]): Block {
  return {
    kind: "list",
    ordered: token.type === "ordered_list_open",
    start: Number(token.attrGet("start") ?? 1),
    items: items.map(({ children }) => itemOf(blocksOf(children))),
  };
}

/** An item that begins with `[ ]` or `[x]` is a task. */
function itemOf(blocks: Block[]): ListItem {
  const [first, ...rest] = blocks;
  const [run, ...runs] = first?.kind === "paragraph" ? first.runs : [];
  const mark = run && !run.code && /^\[([ xX])\]\s/.exec(run.text);
  if (!mark) return { blocks };
  const paragraph: Block = {
    kind: "paragraph",
    runs: [{ ...run, text: run.text.slice(mark[0].length) }, ...runs],
  };
  return { checked: mark[1] !== " ", blocks: [paragraph, ...rest] };
}

function tableOf(parts: readonly Node[]): Table {
  const rows = parts.flatMap(({ children }) => children);
  const [header, ...body] = rows.map(({ children }) =>
    children.map((cell) => runsIn(cell.children)),
  );
  const align = rows[0]?.children.map(({ token }) => alignOf(token)) ?? [];
  return { kind: "table", align, header: header ?? [], rows: body };
}

function alignOf(token: Token): "left" | "center" | "right" | null {
  const side = /left|center|right/.exec(attributeOf(token, "style"))?.[0];
  return (side as "left" | "center" | "right" | undefined) ?? null; // the pattern names these
}

function runsIn(nodes: readonly Node[]): TextRun[] {
  return joinRuns(nodes.flatMap(({ token }) => runsOf(nest(token.children ?? []), {})));
}

function runsOf(nodes: readonly Node[], look: Look): TextRun[] {
  return nodes.flatMap((node) => runOf(node, look));
}

function runOf({ token, children }: Node, look: Look): TextRun[] {
  switch (token.type) {
    case "strong_open":
      return runsOf(children, { ...look, bold: true });
    case "em_open":
      return runsOf(children, { ...look, italic: true });
    case "s_open":
      return runsOf(children, { ...look, strike: true });
    case "link_open":
      return runsOf(children, { ...look, ...linkTo(attributeOf(token, "href")) });
    case "image": {
      const address = attributeOf(token, "src");
      return [{ ...look, ...linkTo(address), text: token.content || address }];
    }
    case "code_inline":
      return [{ ...look, code: true, text: token.content }];
    case "softbreak":
    case "hardbreak":
      return [{ ...look, text: "\n" }];
    case "html_inline":
      return [
        { ...look, text: /^<br\s*\/?>$/i.test(token.content) ? "\n" : token.content },
      ];
    default:
      return token.content ? [{ ...look, text: token.content }] : [];
  }
}

function attributeOf(token: Token, name: string): string {
  return String(token.attrGet(name) ?? "");
}
