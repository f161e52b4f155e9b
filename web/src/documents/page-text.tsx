import { useEffect, useRef } from "react";
import { Markdown } from "../markdown/markdown.tsx";
import { closestSentence, findPassage, type Place } from "../markdown/find-words.ts";

interface PageTextProps {
  text: string;
  passage: string;
  said: string | undefined;
}

/** The text of a page, with the words that an answer cites marked. */
export function PageText({ text, passage, said }: PageTextProps) {
  const page = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = page.current;
    if (!element) return undefined;
    const shown = textOf(element);
    const sentence = said === undefined ? undefined : closestSentence(passage, said);
    const cited = sentence === undefined ? undefined : findPassage(shown, sentence, 0.5);
    const place = cited ?? findPassage(shown, passage);
    return place && markPlace(element, place);
  }, [text, passage, said]);
  return (
    <div ref={page}>
      <Markdown text={text} />
    </div>
  );
}

const NAME = "found";
const BLOCKS = "p, li, td, th, h3, h4, h5, h6, pre, blockquote, div";

interface Piece {
  node: Node;
  /** Where it begins in the text of the element. */
  start: number;
  text: string;
}

/** The text of an element, with a line break between blocks. */
function textOf(element: Element): string {
  return piecesOf(element)
    .map(({ text }) => text)
    .join("");
}

/**
 * Marks a place of an element's text, and brings it into sight. The text stays as it is.
 * @returns a function that removes the mark. Source: CSS Custom Highlight API.
 */
function markPlace(element: Element, place: Place): () => void {
  const range = rangeOf(element, place);
  range.startContainer.parentElement?.scrollIntoView({ block: "center" });
  if (!("highlights" in CSS)) return () => {};
  CSS.highlights.set(NAME, new Highlight(range));
  return () => {
    CSS.highlights.delete(NAME);
  };
}

function rangeOf(element: Element, { start, end }: Place): Range {
  const range = new Range();
  range.selectNodeContents(element);
  for (const { node, start: from, text } of piecesOf(element)) {
    const to = from + text.length;
    if (start >= from && start < to) range.setStart(node, start - from);
    if (end > from && end <= to) range.setEnd(node, end - from);
  }
  return range;
}

function piecesOf(element: Element): Piece[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const pieces: Piece[] = [];
  let passed = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const next = walker.nextNode();
    const ends = next && blockOf(next) !== blockOf(node);
    const text = `${node.textContent ?? ""}${ends ? "\n" : ""}`;
    pieces.push({ node, start: passed, text });
    passed += text.length;
    if (!next) break;
    walker.previousNode();
  }
  return pieces;
}

function blockOf({ parentElement }: Node): Element | null | undefined {
  return parentElement?.closest(BLOCKS);
}
