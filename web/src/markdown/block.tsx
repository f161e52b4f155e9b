import type { Token, Tokens } from "marked";
import {
  Info,
  Lightbulb,
  MessageSquareWarning,
  OctagonAlert,
  TriangleAlert,
} from "lucide-react";
import { memo, type ReactNode, Suspense } from "react";
import {
  type DrawingKind,
  MAX_SOURCE_CHARACTERS,
  type ResultKind,
} from "./frame-messages.ts";
import { CodeBlock } from "./code-block.tsx";
import { expectHeight } from "./drawing-height.ts";
import { Inline } from "./inline.tsx";
import type { MathToken } from "./lex.ts";
import type { AlertKind, AlertToken, DetailsToken } from "./lex-blocks.ts";
import { MathView } from "./maths.tsx";
import { toPlainText } from "./plain-text.ts";
import { useMarkdownTexts } from "./texts.ts";
import { lazyPart } from "../ui/lazy-part.ts";
import { inParts, isSamePart } from "./parts.ts";
import { Table } from "./table.tsx";

/**
 * One block. Settled blocks keep their token, so that they are not rendered again. Each has the
 * direction of its own first letters: an answer may quote Arabic between English paragraphs.
 */
export const BlockView = memo(function BlockView({ token }: { token: Token }): ReactNode {
  const block = token as Tokens.Generic; // the types of marked's own tokens, and of ours
  switch (block.type) {
    case "heading":
      return <Heading depth={block["depth"]} tokens={block.tokens ?? []} />;
    case "paragraph":
      return (
        <p dir="auto">
          <Inline tokens={block.tokens ?? []} />
        </p>
      );
    case "code":
      return <Fence code={token as Tokens.Code} />;
    case "blockquote":
      return <blockquote dir="auto">{renderBlocks(block.tokens)}</blockquote>;
    case "alert":
      return <Alert alert={token as AlertToken} />;
    case "details":
      return <Details details={token as DetailsToken} />;
    case "list":
      return <List list={token as Tokens.List} />;
    case "table":
      return <Table table={token as Tokens.Table} />;
    case "mathBlock":
      return (
        <MathView
          tex={(token as MathToken).tex}
          isBlock
          isOpen={(token as MathToken).isOpen}
        />
      );
    case "hr":
      return <hr />;
    case "html":
      return (
        <p dir="auto" className="whitespace-pre-wrap">
          {block.raw.trim()}
        </p>
      );
    case "text":
      return block.tokens ? <Inline tokens={block.tokens} /> : <Inline tokens={[token]} />;
    case "space":
    case "def":
    case "footnote": // below the text
      return null;
    default:
      return <p dir="auto">{block.raw}</p>;
  }
});

const Drawing = lazyPart(() => import("./drawing.tsx"), "Drawing");

/** What stands between fences. A diagram or chart is drawn once its block is whole. */
function Fence({ code: { text, lang = "", raw } }: { code: Tokens.Code }) {
  const language = /^[\w+#.-]*/.exec(lang)?.[0].toLowerCase() ?? "";
  if (language === "math") return <MathView tex={text} isBlock />;
  const isReady = text.length <= MAX_SOURCE_CHARACTERS && isWhole(raw);
  const result = isReady ? RESULTS[language] : undefined;
  const source = <CodeBlock code={text} language={lang} result={result} />;
  const kind = DRAWINGS[language];
  if (!kind || !isReady) return source;
  return (
    <Suspense fallback={<DrawingPlace kind={kind} source={text} />}>
      <Drawing kind={kind} source={text} />
    </Suspense>
  );
}

/** Where a drawing will stand, once its code is there. */
function DrawingPlace({ kind, source }: { kind: DrawingKind; source: string }) {
  return (
    <figure className="markdown-code markdown-drawing" aria-busy>
      <figcaption>
        <span className="h-8 pointer-coarse:h-11" />
      </figcaption>
      <div style={{ height: expectHeight(kind, source) }} />
    </figure>
  );
}

const DRAWINGS: Record<string, DrawingKind | undefined> = {
  mermaid: "mermaid",
  vega: "vega",
  "vega-lite": "vega",
  vegalite: "vega",
};

/** What can be shown as the page or the picture that it is. */
const RESULTS: Record<string, ResultKind | undefined> = {
  html: "html",
  htm: "html",
  svg: "svg",
};

/** Whether the fence that ends a block has come. */
function isWhole(raw: string): boolean {
  const lines = raw.trimEnd().split("\n");
  return lines.length > 1 && /^ {0,3}(?:`{3,}|~{3,})$/.test(lines.at(-1) ?? "");
}

export function renderBlocks(tokens: Token[] = []): ReactNode {
  return tokens.map((token, at) => <BlockView key={at} token={token} />);
}

/** Headings of an answer stand below those of the page. */
function Heading({ depth, tokens }: { depth: number; tokens: Token[] }) {
  const Tag = ["h3", "h4", "h5", "h6"][Math.min(depth, 4) - 1] as "h3"; // of these four
  return (
    <Tag dir="auto">
      <Inline tokens={tokens} />
    </Tag>
  );
}

const ALERT_ICONS = {
  note: Info,
  tip: Lightbulb,
  important: MessageSquareWarning,
  warning: TriangleAlert,
  caution: OctagonAlert,
} satisfies Record<AlertKind, unknown>;

function Alert({ alert: { kind, tokens } }: { alert: AlertToken }) {
  const texts = useMarkdownTexts();
  const Icon = ALERT_ICONS[kind];
  return (
    <div
      role="note"
      aria-label={texts.alerts[kind]}
      className={`markdown-alert alert-${kind}`}
    >
      <p className="markdown-alert-title">
        <Icon aria-hidden size={16} />
        {texts.alerts[kind]}
      </p>
      {renderBlocks(tokens)}
    </div>
  );
}

function Details({ details: { summary, isOpen, tokens } }: { details: DetailsToken }) {
  const texts = useMarkdownTexts();
  return (
    <details open={isOpen} className="markdown-details">
      <summary>{summary.length > 0 ? <Inline tokens={summary} /> : texts.details}</summary>
      {renderBlocks(tokens)}
    </details>
  );
}

function List({ list }: { list: Tokens.List }) {
  const items = inParts(list.items).map((part, at) => <Items key={at} part={part} />);
  if (!list.ordered) return <ul dir="auto">{items}</ul>;
  return (
    <ol dir="auto" start={list.start === "" ? 1 : list.start}>
      {items}
    </ol>
  );
}

const Items = memo(function Items({ part }: { part: readonly Tokens.ListItem[] }) {
  return part.map((item, at) => (
    <li key={at} className={item.task ? "list-none" : undefined}>
      {item.task && (
        <input
          type="checkbox"
          checked={item.checked ?? false}
          aria-label={toPlainText(item.text).slice(0, 200)}
          disabled
          className="markdown-task mr-2 -ml-6"
        />
      )}
      {renderBlocks(item.tokens.filter(({ type }) => type !== "checkbox"))}
    </li>
  ));
}, isSamePart);
