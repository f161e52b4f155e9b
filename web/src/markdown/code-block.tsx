import { ChevronDown, ChevronUp, Code, Download, Play, TextWrap } from "lucide-react";
import { memo, Suspense, useEffect, useId, useState } from "react";
import { copyText } from "../ui/copy-text.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { lazyPart } from "../ui/lazy-part.ts";
import type { ResultKind } from "./frame-messages.ts";
import { type CodeLine, highlight, knownLines, startHighlighting } from "./highlight.ts";
import { nameOf } from "./language-names.ts";
import { saveText } from "../ui/save-file.ts";
import { useMarkdownTexts } from "./texts.ts";

const CodeResult = lazyPart(() => import("./code-result.tsx"), "CodeResult");

/** Waits until the code stops growing. */
const QUIET_MS = 150;

interface CodeBlockProps {
  code: string;
  language?: string | undefined;
  /** What it is when it is shown, and not read. */
  result?: ResultKind | undefined;
}

/** Code in its language, to be copied, saved, wrapped, folded, and shown as what it makes. */
export function CodeBlock({ code, language, result }: CodeBlockProps) {
  const texts = useMarkdownTexts();
  const name = language?.split(/[\s{:]/)[0]?.toLowerCase();
  const { lines, rest } = useHighlighted(code, name);
  const [isWrapped, setWrapped] = useState(false);
  const [isFolded, setFolded] = useState(false);
  const [isShown, setShown] = useState(false);
  const id = useId();
  return (
    <figure className="markdown-code">
      <figcaption>
        <span className="flex min-w-0 items-center">
          <bdi className="truncate">{nameOf(name) ?? language}</bdi>
          {isFolded && (
            <span className="ml-2 shrink-0">{texts.lines(countLines(code))}</span>
          )}
        </span>
        <span className="flex shrink-0">
          {result && !isFolded && (
            <IconButton
              icon={isShown ? Code : Play}
              label={isShown ? texts.code : texts.preview}
              onClick={() => setShown(!isShown)}
            />
          )}
          <IconButton
            icon={TextWrap}
            label={texts.wrap}
            pressed={isWrapped}
            onClick={() => setWrapped(!isWrapped)}
          />
          <IconButton
            icon={Download}
            label={texts.downloadCode}
            onClick={() => saveText(fileNameOf(name), code, "text/plain")}
          />
          <CopyButton
            label={texts.copyCode}
            copied={texts.copied}
            copy={() => copyText(code)}
          />
          <IconButton
            icon={isFolded ? ChevronDown : ChevronUp}
            label={isFolded ? texts.unfold : texts.fold}
            aria-expanded={!isFolded}
            aria-controls={id}
            onClick={() => setFolded(!isFolded)}
          />
        </span>
      </figcaption>
      {result && isShown && !isFolded && (
        <Suspense fallback={<div className="h-80" />}>
          <CodeResult kind={result} source={code} />
        </Suspense>
      )}
      <pre
        id={id}
        hidden={isFolded || isShown}
        tabIndex={0}
        dir="ltr"
        className={isWrapped ? "is-wrapped" : undefined}
      >
        {/* not plain first: it waits a moment for its colours */}
        <code className={lines || !name ? undefined : "code-coming"}>
          {lines && renderParts(lines, rest !== "")}
          {rest !== "" && renderPlain(rest)}
        </code>
      </pre>
    </figure>
  );
}

function countLines(code: string): number {
  return code.split("\n").length;
}

/** Lines of a part: parts that are whole are neither rendered again nor laid out. */
const PART_LINES = 40;

function toParts<T>(lines: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(lines.length / PART_LINES) }, (_, at) =>
    lines.slice(at * PART_LINES, (at + 1) * PART_LINES),
  );
}

function renderPlain(code: string) {
  const parts = toParts(code.split("\n"));
  return parts.map((lines, at) => (
    <PlainPart key={at} text={lines.join("\n")} isLast={at === parts.length - 1} />
  ));
}

const PlainPart = memo(function PlainPart(part: { text: string; isLast: boolean }) {
  return <span className="code-part">{part.isLast ? part.text : `${part.text}\n`}</span>;
});

/** @param hasMore whether other lines follow. */
function renderParts(lines: readonly CodeLine[], hasMore: boolean) {
  const parts = toParts(lines);
  return parts.map((part, at) => (
    <span key={at} className="code-part">
      {part.map(renderLine)}
      {(hasMore || at < parts.length - 1) && "\n"}
    </span>
  ));
}

function renderLine(line: CodeLine, at: number) {
  return (
    <span key={at}>
      {at > 0 && "\n"}
      {line.map(([text, kind], place) => (
        <span key={place} className={kind && `code-${kind}`}>
          {text}
        </span>
      ))}
    </span>
  );
}

interface Highlighted {
  /** Undefined until the first of them are coloured. */
  lines: CodeLine[] | undefined;
  /** What has no colours yet: what has come since. */
  rest: string;
}

/** Colours code at once, and again when it has stopped growing; whole lines keep their colours. */
function useHighlighted(code: string, language: string | undefined): Highlighted {
  const [result, setResult] = useState(() => {
    const lines = language && knownLines(code, language);
    if (language && !lines) startHighlighting();
    return lines ? { code, lines } : undefined;
  });
  const isFirst = result === undefined;
  useEffect(() => {
    if (!language || result?.code === code) return undefined;
    let isCurrent = true;
    const ask = () =>
      void highlight(code, language).then(
        (lines) => isCurrent && lines && setResult({ code, lines }),
      );
    const timer = isFirst ? undefined : setTimeout(ask, QUIET_MS);
    if (isFirst) ask();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [code, language, isFirst]);
  if (result?.code === code) return { lines: result.lines, rest: "" };
  const end = result?.code.lastIndexOf("\n") ?? -1;
  // the last line may have been half of one
  if (result && end >= 0 && code.startsWith(result.code.slice(0, end + 1)))
    return { lines: result.lines.slice(0, -1), rest: code.slice(end + 1) };
  return { lines: undefined, rest: code };
}

/** The ends of names of files, where they differ from the name of the language. */
const EXTENSIONS: Record<string, string> = {
  bash: "sh",
  "c#": "cs",
  "c++": "cpp",
  console: "sh",
  csharp: "cs",
  golang: "go",
  javascript: "js",
  kotlin: "kt",
  latex: "tex",
  markdown: "md",
  mermaid: "mmd",
  perl: "pl",
  powershell: "ps1",
  python: "py",
  ruby: "rb",
  rust: "rs",
  shell: "sh",
  typescript: "ts",
  "vega-lite": "json",
  vega: "json",
  yaml: "yml",
  zsh: "sh",
};
const WHOLE_NAMES: Record<string, string> = {
  docker: "Dockerfile",
  dockerfile: "Dockerfile",
  make: "Makefile",
  makefile: "Makefile",
};

/** A name for a file of code. */
function fileNameOf(language: string | undefined): string {
  const name = WHOLE_NAMES[language ?? ""];
  if (name) return name;
  const extension = EXTENSIONS[language ?? ""] ?? language ?? "";
  return `code.${/^[a-z0-9]{1,10}$/.test(extension) ? extension : "txt"}`;
}
