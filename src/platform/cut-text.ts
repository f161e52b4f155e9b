const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * The beginning of a text, of at most so many UTF-16 units, that ends between two characters as a
 * reader counts them: never inside a surrogate pair, an emoji sequence or a letter with its marks.
 * A single character that is longer by itself is cut between code points.
 */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // where the cluster begins that holds the first unit too many; clusters are short, text is not
  const end = graphemes.segment(text.slice(0, maxLength + MAX_CLUSTER)).containing(maxLength);
  const cut = text.slice(0, end && end.index > 0 ? end.index : maxLength);
  return isCutPair(cut) ? cut.slice(0, -1) : cut;
}

/** The same for the end of a text, such as a file name whose extension counts. */
export function cutTextStart(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const start = text.length - maxLength;
  const cluster = graphemes.segment(text).containing(start);
  const isWhole = !cluster || cluster.index === start;
  const kept = text.slice(isWhole ? start : cluster.index + cluster.segment.length);
  return kept || text.slice(start).replace(/^[\uDC00-\uDFFF]/, "");
}

/** Longer clusters are made on purpose ("Zalgo" text). */
const MAX_CLUSTER = 64;

function isCutPair(text: string): boolean {
  return /[\uD800-\uDBFF]$/.test(text);
}
