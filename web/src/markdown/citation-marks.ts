const NUMBERS =
  /^\[(\d{1,3}(?: ?[-–—] ?\d{1,3})?(?:[,;] ?\d{1,3}(?: ?[-–—] ?\d{1,3})?)*)\]/;
/** `[1]–[3]`: a range whose ends have brackets of their own. */
const RANGE = /^\[(\d{1,3})\] ?[-–—] ?\[(\d{1,3})\]/;
/** What makes the text of a link of numbers in brackets. */
const LINK_FOLLOWS = /^(?:\(|\[(?!\d|\^))/;
/** Beyond this a range is no citation. */
const MAX_CITED_RANGE = 20;
/** As much of a text as one citation can be. */
const MAX_CITATION_CHARACTERS = 400;

interface Citation {
  raw: string;
  /** The numbers of the sources, in order. */
  indexes: number[];
}

/** The citation that a text begins with: `[2]`, `[1, 3]`, `[1-3]` or `[1]–[3]`. */
export function readCitation(text: string): Citation | undefined {
  const start = text.slice(0, MAX_CITATION_CHARACTERS);
  return readRange(start) ?? readNumbers(start);
}

/** All citations of a text, and where each begins. */
export function findCitations(text: string): (Citation & { at: number })[] {
  const found: (Citation & { at: number })[] = [];
  const starts = /\[\d/g;
  for (let start = starts.exec(text); start; start = starts.exec(text)) {
    const at = start.index;
    const citation = readCitation(text.slice(at, at + MAX_CITATION_CHARACTERS));
    if (!citation) continue;
    found.push({ ...citation, at });
    starts.lastIndex = at + citation.raw.length;
  }
  return found;
}

function readRange(text: string): Citation | undefined {
  const found = RANGE.exec(text);
  const indexes = found ? toIndexes(`${found[1]}-${found[2]}`) : [];
  return found && indexes.length > 0 ? { raw: found[0], indexes } : undefined;
}

function readNumbers(text: string): Citation | undefined {
  const found = NUMBERS.exec(text);
  if (!found || LINK_FOLLOWS.test(text.slice(found[0].length))) return undefined;
  const indexes = (found[1] ?? "").split(/[,;]/).map(toIndexes);
  if (indexes.some((some) => some.length === 0)) return undefined;
  return { raw: found[0], indexes: [...new Set(indexes.flat())] };
}

/** `"2"` → `[2]`, `"1-3"` → `[1, 2, 3]`; a range that is none → `[]`. */
function toIndexes(part: string): number[] {
  const [first = 0, last = first] = part.split(/[-–—]/).map(Number);
  if (last < first || last - first >= MAX_CITED_RANGE) return [];
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}
