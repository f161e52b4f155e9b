import type { Token, Tokens } from "marked";
import { memo, type ReactNode } from "react";
import { join } from "../ui/join.ts";
import { CodeBlock } from "./code-block.tsx";
import { Inline } from "./inline.tsx";
import type { MathToken } from "./lex.ts";
import { MathView } from "./math.tsx";

/** One block. Settled blocks keep their token, so that they are not rendered again. */
export const BlockView = memo(function BlockView({ token }: { token: Token }): ReactNode {
  const block = token as Tokens.Generic; // the types of marked's own tokens, and of ours
  switch (block.type) {
    case "heading":
      return <Heading depth={block["depth"]} tokens={block.tokens ?? []} />;
    case "paragraph":
      return (
        <p>
          <Inline tokens={block.tokens ?? []} />
        </p>
      );
    case "code":
      return <CodeBlock code={block["text"]} language={block["lang"]} />;
    case "blockquote":
      return <blockquote>{renderBlocks(block.tokens)}</blockquote>;
    case "list":
      return <List list={token as Tokens.List} />;
    case "table":
      return <Table table={token as Tokens.Table} />;
    case "mathBlock":
      return <MathView tex={(token as MathToken).tex} isBlock />;
    case "hr":
      return <hr />;
    case "html":
      return <p className="whitespace-pre-wrap">{block.raw.trim()}</p>;
    case "text":
      return block.tokens ? <Inline tokens={block.tokens} /> : <Inline tokens={[token]} />;
    case "space":
    case "def":
      return null;
    default:
      return <p>{block.raw}</p>;
  }
});

function renderBlocks(tokens: Token[] = []): ReactNode {
  return tokens.map((token, at) => <BlockView key={at} token={token} />);
}

/** Headings of an answer stand below those of the page. */
function Heading({ depth, tokens }: { depth: number; tokens: Token[] }) {
  const Tag = ["h3", "h4", "h5", "h6"][Math.min(depth, 4) - 1] as "h3"; // of these four
  return (
    <Tag>
      <Inline tokens={tokens} />
    </Tag>
  );
}

function List({ list }: { list: Tokens.List }) {
  const items = list.items.map((item, at) => (
    <li key={at} className={item.task ? "list-none" : undefined}>
      {item.task && (
        <input
          type="checkbox"
          checked={item.checked ?? false}
          disabled
          className="mr-2 -ml-5"
        />
      )}
      {renderBlocks(item.tokens.filter(({ type }) => type !== "checkbox"))}
    </li>
  ));
  if (!list.ordered) return <ul>{items}</ul>;
  return <ol start={list.start === "" ? 1 : list.start}>{items}</ol>;
}

const ALIGNMENT = {
  left: "text-left",
  center: "text-center",
  right: "text-right",
} as const;

/** From these numbers of characters on a cell needs room for a phrase, or for a sentence. */
const PHRASE_CHARACTERS = 14;
const SENTENCE_CHARACTERS = 45;

function widthOf(text: string): string {
  if (text.length >= SENTENCE_CHARACTERS) return "cell-sentence";
  return text.length >= PHRASE_CHARACTERS ? "cell-phrase" : "cell-value";
}

function Table({ table }: { table: Tokens.Table }) {
  const cell = (Tag: "th" | "td") => (one: Tokens.TableCell, at: number) => (
    <Tag key={at} className={join(one.align && ALIGNMENT[one.align], widthOf(one.text))}>
      <Inline tokens={one.tokens} />
    </Tag>
  );
  return (
    <div className="markdown-table" tabIndex={0} role="group">
      <table>
        <thead>
          <tr>{table.header.map(cell("th"))}</tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            <tr key={at}>{row.map(cell("td"))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
