import { lexer, type Token, type Tokens } from "marked";

/** A piece of text with one look. */
export interface Run {
  text: string;
  bold?: true;
  italic?: true;
  strike?: true;
  code?: true;
  /** An address that may be shown as a link: http, https or mailto. */
  link?: string;
}

export type Block =
  | { kind: "heading"; depth: number; runs: Run[] }
  | { kind: "paragraph"; runs: Run[] }
  | {
      kind: "list";
      ordered: boolean;
      start: number;
      items: { checked?: boolean; blocks: Block[] }[];
    }
  | {
      kind: "table";
      align: ("left" | "center" | "right" | null)[];
      header: Run[][];
      rows: Run[][][];
    }
  | { kind: "code"; language: string; text: string }
  | { kind: "quote"; blocks: Block[] }
  | { kind: "rule" };

/**
 * Markdown (GitHub's) as a plain tree that every export walks. Raw HTML is text, images are links to themselves: nothing is run, nothing is fetched.
 */
export function readMarkdown(markdown: string): Block[] {
  return blocksOf(lexer(markdown, { gfm: true }));
}

function blocksOf(tokens: readonly Token[]): Block[] {
  return tokens.flatMap((token) => blockOf(token as Tokens.Generic)); // every token has at least the generic fields
}

function blockOf(token: Tokens.Generic): Block[] {
  switch (token.type) {
    case "heading":
      return [
        {
          kind: "heading",
          depth: Math.min(6, Number(token["depth"])),
          runs: runsOf(token.tokens ?? []),
        },
      ];
    case "paragraph":
    case "text":
      return [
        {
          kind: "paragraph",
          runs: token.tokens ? runsOf(token.tokens) : [{ text: decoded(String(token["text"])) }],
        },
      ];
    case "html":
      return token.raw.trim() ? [{ kind: "paragraph", runs: [{ text: token.raw.trimEnd() }] }] : [];
    case "list":
      return [listOf(token as unknown as Tokens.List)]; // by its type
    case "table":
      return [tableOf(token as unknown as Tokens.Table)]; // by its type
    case "code":
      return [
        {
          kind: "code",
          language: String(token["lang"] ?? "").split(/\s/)[0] ?? "",
          text: String(token["text"]),
        },
      ];
    case "blockquote":
      return [{ kind: "quote", blocks: blocksOf(token.tokens ?? []) }];
    case "hr":
      return [{ kind: "rule" }];
    default:
      return [];
  }
}

function listOf({ ordered, start, items }: Tokens.List): Block {
  return {
    kind: "list",
    ordered,
    start: Number(start) || 1,
    items: items.map(({ task, checked, tokens }) => ({
      blocks: blocksOf(tokens),
      ...(task && { checked: checked === true }),
    })),
  };
}

function tableOf({ align, header, rows }: Tokens.Table): Block {
  return {
    kind: "table",
    align,
    header: header.map(({ tokens }) => runsOf(tokens)),
    rows: rows.map((row) => row.map(({ tokens }) => runsOf(tokens))),
  };
}

function runsOf(tokens: readonly Token[], look: Omit<Run, "text"> = {}): Run[] {
  return tokens.flatMap((token) => inlineOf(token as Tokens.Generic, look)); // every token has at least the generic fields
}

function inlineOf(token: Tokens.Generic, look: Omit<Run, "text">): Run[] {
  const inner = token.tokens ?? [];
  switch (token.type) {
    case "strong":
      return runsOf(inner, { ...look, bold: true });
    case "em":
      return runsOf(inner, { ...look, italic: true });
    case "del":
      return runsOf(inner, { ...look, strike: true });
    case "codespan":
      return [{ ...look, code: true, text: decoded(String(token["text"])) }];
    case "br":
      return [{ ...look, text: "\n" }];
    case "link":
      return runsOf(inner, { ...look, ...linkTo(String(token["href"])) });
    case "image":
      return [
        {
          ...look,
          ...linkTo(String(token["href"])),
          text: String(token["text"]) || String(token["href"]),
        },
      ];
    case "html":
      return [{ ...look, text: token.raw }];
    case "text":
      return inner.length > 0
        ? runsOf(inner, look)
        : [{ ...look, text: decoded(String(token["text"])) }];
    default:
      return [{ ...look, text: decoded(String(token["text"] ?? token.raw)) }];
  }
}

function linkTo(address: string): { link?: string } {
  return /^(https?:\/\/|mailto:)/i.test(address) ? { link: address } : {};
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** The reader of Markdown leaves the entities that it made. */
function decoded(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}
