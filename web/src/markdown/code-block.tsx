import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "../ui/icon-button.tsx";
import { type CodeLine, highlight } from "./highlight.ts";
import { useMarkdownTexts } from "./texts.ts";
import { copyText } from "../ui/copy-text.ts";

/** Waits until the code stops growing. */
const QUIET_MS = 150;
const COPIED_MS = 2_000;

/** Code in its language, with a button to copy it. */
export function CodeBlock({
  code,
  language,
}: {
  code: string;
  language?: string | undefined;
}) {
  const texts = useMarkdownTexts();
  const lines = useHighlighted(code, language?.split(/[\s{:]/)[0]?.toLowerCase());
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await copyText(code);
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <figure className="markdown-code">
      <figcaption>
        <span>{language}</span>
        <IconButton
          icon={isCopied ? Check : Copy}
          label={isCopied ? texts.copied : texts.copyCode}
          onClick={() => void copy()}
        />
      </figcaption>
      <pre tabIndex={0} dir="ltr">
        <code>{lines ? lines.map(renderLine) : code}</code>
      </pre>
    </figure>
  );
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

function useHighlighted(
  code: string,
  language: string | undefined,
): CodeLine[] | undefined {
  const [result, setResult] = useState<{ code: string; lines: CodeLine[] }>();
  useEffect(() => {
    if (!language) return undefined;
    let isCurrent = true;
    const timer = setTimeout(() => {
      void highlight(code, language).then(
        (lines) => isCurrent && lines && setResult({ code, lines }),
      );
    }, QUIET_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [code, language]);
  return result?.code === code ? result.lines : undefined;
}
