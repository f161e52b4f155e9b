import type { Line } from "./contract-texts.ts";

/** A longer line, such as a whole paragraph, is several: each call returns so many at most. */
export const MAX_LINE_CHARACTERS = 1_000;

/**
 * Divides a text that streams into lines, a few at a time, so that others take their turn in
 * between. Form feeds begin a new part.
 */
export async function* linesOf(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Line[], void> {
  const decoder = new TextDecoder();
  let rest = "";
  let number = 0;
  let part = 1;
  const take = (text: string, isEnd: boolean): Line[] => {
    const lines: Line[] = [];
    const add = (line: string) => {
      for (const piece of piecesOf(line))
        lines.push({ number: ++number, part, text: piece });
    };
    let from = 0;
    for (const { 0: mark, index } of text.matchAll(/[\n\f]/g)) {
      // a form feed at the beginning of a line ends no line
      if (mark === "\n" || index > from) add(text.slice(from, index).replace(/\r$/, ""));
      if (mark === "\f") part += 1;
      from = index + 1;
    }
    rest = text.slice(from);
    if (isEnd) {
      if (rest !== "") add(rest);
      return lines;
    }
    // a line without an end must not gather in memory
    while (rest.length > MAX_LINE_CHARACTERS) {
      const end = endOfPiece(rest);
      lines.push({ number: ++number, part, text: rest.slice(0, end) });
      rest = rest.slice(end);
    }
    return lines;
  };
  for await (const chunk of bytes)
    yield take(rest + decoder.decode(chunk, { stream: true }), false);
  yield take(rest + decoder.decode(), true);
}

function piecesOf(line: string): string[] {
  const pieces: string[] = [];
  let rest = line;
  while (rest.length > MAX_LINE_CHARACTERS) {
    const end = endOfPiece(rest);
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...pieces, rest];
}

/** At a space, else between two characters. */
function endOfPiece(text: string): number {
  const space = text.lastIndexOf(" ", MAX_LINE_CHARACTERS);
  if (space > MAX_LINE_CHARACTERS / 2) return space;
  const last = text.charCodeAt(MAX_LINE_CHARACTERS - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return isHalf ? MAX_LINE_CHARACTERS - 1 : MAX_LINE_CHARACTERS;
}
