/** Fewer words would be found anywhere. */
const MIN_WORDS = 4;
const SHRINKING = 0.8;

interface Found {
  before: string;
  match: string;
  after: string;
}

/**
 * A passage in the text of its page. A chunk may differ from the text in spaces, and may begin on
 * the page before: then its longest beginning or end that is here. Where nothing is found the
 * passage stands alone.
 */
export function findPassage(text: string, passage: string): Found {
  const words = passage.split(/\s+/).filter(Boolean);
  const least = Math.min(MIN_WORDS, words.length);
  for (let count = words.length; count >= least; count = Math.floor(count * SHRINKING)) {
    const found = locate(text, words.slice(0, count)) ?? locate(text, words.slice(-count));
    if (found) return found;
  }
  return { before: "", match: passage, after: "" };
}

function locate(text: string, words: readonly string[]): Found | undefined {
  if (words.length === 0) return undefined;
  const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("\\s+");
  const found = new RegExp(pattern).exec(text);
  if (!found) return undefined;
  const end = found.index + found[0].length;
  return { before: text.slice(0, found.index), match: found[0], after: text.slice(end) };
}
