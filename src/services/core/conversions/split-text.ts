/** Where a text may be cut, best first: between paragraphs, lines, sentences, words. */
const CUTS = ["\n\n", "\n", ". ", " "];

/**
 * Splits a text into pieces of at most so many characters, at the best place in the second half of
 * each. The pieces join to the same text.
 */
export function splitText(text: string, most: number): string[] {
  const pieces: string[] = [];
  let from = 0;
  while (text.length - from > most) {
    const end = from + cutIn(text.slice(from, from + most));
    pieces.push(text.slice(from, end));
    from = end;
  }
  pieces.push(text.slice(from));
  return pieces;
}

function cutIn(window: string): number {
  for (const cut of CUTS) {
    const at = window.lastIndexOf(cut);
    if (at >= window.length / 2) return at + cut.length;
  }
  // never inside a surrogate pair
  return /[\ud800-\udbff]$/.test(window) ? window.length - 1 : window.length;
}
