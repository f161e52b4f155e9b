const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * Returns the beginning of a text, at most `maxLength` UTF-16 units, cut between graphemes: never
 * inside a surrogate pair, an emoji sequence or a letter with its marks. A single longer grapheme
 * is cut between code points.
 */
export function shortenText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // the cluster of the first excess unit; only a short part of the text is segmented
  const end = graphemes
    .segment(text.slice(0, maxLength + MAX_CLUSTER_LENGTH))
    .containing(maxLength);
  const cut = text.slice(0, end && end.index > 0 ? end.index : maxLength);
  return isCutPair(cut) ? cut.slice(0, -1) : cut;
}

/**
 * Like `shortenText`, but between words, with "…", unless its last word is longer than half of it.
 */
export function shortenToWords(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const start = shortenText(text, maxLength - 1);
  const isBetween = text[start.length] === " ";
  const lastSpace = isBetween ? start.length : start.lastIndexOf(" ");
  const words = lastSpace > maxLength / 2 ? start.slice(0, lastSpace) : start;
  return `${words.replace(/[\s,.;:–-]{1,10}$/, "")}…`;
}

/** Like `shortenText` for the end of a text, such as a file name with its extension. */
export function shortenTextStart(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const start = text.length - maxLength;
  const cluster = graphemes.segment(text).containing(start);
  const isWhole = !cluster || cluster.index === start;
  const end = text.slice(isWhole ? start : cluster.index + cluster.segment.length);
  return end || text.slice(start).replace(/^[\uDC00-\uDFFF]/, "");
}

/** Longer clusters are artificial ("Zalgo" text). */
const MAX_CLUSTER_LENGTH = 64;

function isCutPair(text: string): boolean {
  return /[\uD800-\uDBFF]$/.test(text);
}
