import { Fragment } from "react";
import { decodeEntities } from "../markdown/decode-entities.ts";

/** Text around the words that were found. Its only markup is `<mark>`; all else is text. */
export function Snippet({ html }: { html: string }) {
  return (
    <p dir="auto" className="line-clamp-2 wrap-anywhere text-muted">
      {splitMarks(html).map(({ text, isMarked }, at) =>
        isMarked ? <mark key={at}>{text}</mark> : <Fragment key={at}>{text}</Fragment>,
      )}
    </p>
  );
}

/** The parts of a snippet, as plain text. */
export function splitMarks(html: string): { text: string; isMarked: boolean }[] {
  const parts: { text: string; isMarked: boolean }[] = [];
  let isMarked = false;
  for (const part of html.split(/(<\/?mark>)/)) {
    if (part === "<mark>" || part === "</mark>") isMarked = part === "<mark>";
    else if (part !== "") parts.push({ text: decodeEntities(part), isMarked });
  }
  return parts;
}
