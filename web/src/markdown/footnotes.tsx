import type { Token } from "marked";
import { createContext, type ReactNode, use, useId, useMemo } from "react";
import type { Block } from "./growing-blocks.ts";
import type { FootnoteToken } from "./lex-blocks.ts";
import { useMarkdownTexts } from "./texts.ts";

interface Footnotes {
  /** Sets the footnotes of one text apart from those of others on the page. */
  prefix: string;
  /** The footnotes that there are, in their order. */
  labels: readonly string[];
}

const FootnoteContext = createContext<Footnotes | undefined>(undefined);

interface FootnotesProps {
  blocks: readonly Block[];
  /** Renders the blocks of a footnote. */
  render: (tokens: Token[]) => ReactNode;
  children: ReactNode;
}

/** A text with its footnotes below it. */
export function WithFootnotes({ blocks, render, children }: FootnotesProps) {
  const texts = useMarkdownTexts();
  const prefix = useId();
  const notes = blocks.flatMap(({ token }) =>
    token.type === "footnote" ? [token as FootnoteToken] : [],
  );
  const key = notes.map(({ label }) => label).join("\n");
  // the same object while text grows, so that settled blocks are not rendered again
  const value = useMemo(
    () => ({ prefix, labels: key === "" ? [] : [...new Set(key.split("\n"))] }),
    [prefix, key],
  );
  return (
    <FootnoteContext value={value}>
      {children}
      {notes.length > 0 && (
        <section aria-label={texts.footnotes} className="markdown-footnotes">
          <ol>
            {value.labels.map((label, at) => (
              <li key={label} id={idOf(prefix, label)} tabIndex={-1}>
                {render(notes.find((note) => note.label === label)?.tokens ?? [])}
                <button
                  type="button"
                  aria-label={texts.backToText(at + 1)}
                  onClick={() => goTo(idOf(prefix, label, "ref"))}
                >
                  ↩
                </button>
              </li>
            ))}
          </ol>
        </section>
      )}
    </FootnoteContext>
  );
}

/** The number of a footnote, which leads to it. Without a footnote, the text as it stands. */
export function FootnoteLink({ raw, label }: { raw: string; label: string }) {
  const texts = useMarkdownTexts();
  const notes = use(FootnoteContext);
  const at = notes?.labels.indexOf(label) ?? -1;
  if (!notes || at < 0) return raw;
  return (
    <sup>
      <button
        type="button"
        id={idOf(notes.prefix, label, "ref")}
        className="markdown-footnote"
        aria-label={texts.footnote(at + 1)}
        onClick={() => goTo(idOf(notes.prefix, label))}
      >
        {at + 1}
      </button>
    </sup>
  );
}

function idOf(prefix: string, label: string, end = "note"): string {
  return `${prefix}${end}-${label}`;
}

function goTo(id: string): void {
  const element = document.getElementById(id);
  element?.scrollIntoView({ block: "nearest" });
  element?.focus();
}
