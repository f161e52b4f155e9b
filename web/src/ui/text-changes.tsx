import type { TextChange } from "../../../src/services/core/contract-text-change.ts";
import { useUiTexts } from "./texts.ts";

interface TextChangesProps {
  changes: readonly TextChange[];
  /** Pieces that stay are cut to this many characters around each change; absent: shown whole. */
  context?: number;
}

/** A text with what was added underlined and what was removed struck through. */
export function TextChanges({ changes, context }: TextChangesProps) {
  const texts = useUiTexts();
  return (
    <div dir="auto" className="whitespace-pre-wrap wrap-anywhere">
      {changes.map(({ kind, text }, at) => {
        if (kind === "same")
          return (
            <span key={at}>
              {context === undefined
                ? text
                : cut(text, context, at === 0, at === changes.length - 1)}
            </span>
          );
        const Element = kind === "added" ? "ins" : "del";
        return (
          <Element
            key={at}
            className={
              kind === "added"
                ? "rounded-sm bg-sunken text-ok underline decoration-2 underline-offset-2"
                : "rounded-sm text-danger line-through"
            }
          >
            <span className="sr-only">
              {kind === "added" ? texts.added : texts.removed}
            </span>
            {text}
          </Element>
        );
      })}
    </div>
  );
}

/** The ends of a long piece, with a sign for what is left out. */
function cut(text: string, context: number, isFirst: boolean, isLast: boolean): string {
  if (text.length <= context * 2) return text;
  const start = isFirst ? "" : text.slice(0, context);
  const end = isLast ? "" : text.slice(-context);
  return `${start} … ${end}`;
}
