/** A citation such as `[1]`, `[2, 3]` or `[4-6]`. */
const MARK = String.raw`\[\s*\d{1,4}(?:\s*[,;–-]\s*\d{1,4})*\s*\]`;
/** Several that a comma or a dash joins, such as `[1], [2]` or `[4]–[6]`, as one. */
const CHAIN = String.raw`${MARK}(?: ?[,;–—-] ?${MARK}){0,30}`;
const BEGUN = /[ \t]?\[[\s\d,;–-]{0,60}$/;
/** What may stand between a citation and the next one that joins it. */
const JOINING = /^(?: ?[,;–—-])? ?(?:\[[\s\d,;–-]{0,60})?$/;
/** A longer range is no citation. */
const MAX_RANGE = 20;
/** Backticks that may become more: code opens and closes with the same number (CommonMark). */
const TICKS = /(?<!`)`+$/;

/**
 * Removes citations of passages that do not exist, such as `[7]` of six, from a text while it
 * streams. Leaves code as it is.
 */
export class CitationCheck {
  readonly #exists: (index: number) => boolean;
  #held = "";
  #code = "";

  constructor(exists: (index: number) => boolean) {
    this.#exists = exists;
  }

  /** @returns the text that can be sent now. */
  add(delta: string): string {
    const text = this.#held + delta;
    const from = findUnfinished(text);
    this.#held = text.slice(from);
    return this.#checked(text.slice(0, from));
  }

  /** @returns the text that was held back. */
  end(): string {
    const rest = this.#checked(this.#held);
    this.#held = "";
    return rest;
  }

  #checked(text: string): string {
    return text
      .split(/(`+)/)
      .map((piece) => {
        if (piece.startsWith("`")) {
          if (this.#code === "") this.#code = piece;
          else if (this.#code === piece) this.#code = "";
          return piece;
        }
        return this.#code === "" ? withoutUnknown(piece, this.#exists) : piece;
      })
      .join("");
  }
}

/** Removes such citations from a whole text. */
export function checkCitations(text: string, exists: (index: number) => boolean): string {
  const check = new CitationCheck(exists);
  return check.add(text) + check.end();
}

/** Returns the numbers that a text cites. */
export function citedIn(text: string): Set<number> {
  const cited = new Set<number>();
  checkCitations(text, (index) => {
    cited.add(index);
    return true;
  });
  return cited;
}

/** A citation as it stands in a text. */
export interface Citation {
  /** With the space before it. */
  mark: string;
  numbers: number[];
  /** The text before it. */
  before: string;
}

/** Replaces the citations of a whole text, but not what looks like them in code. */
export function mapCitations(text: string, replace: (one: Citation) => string): string {
  let code = "";
  let from = 0;
  const pieces = text.split(/(`+)/).map((piece) => {
    const at = from;
    from += piece.length;
    if (piece.startsWith("`")) {
      if (code === "") code = piece;
      else if (code === piece) code = "";
      return piece;
    }
    if (code !== "") return piece;
    return piece.replace(RANGE, (mark: string, _: string, marked: string, on: number) => {
      const links = linksOf(marked);
      if (links.some(({ numbers }) => !numbers)) return mark;
      const numbers = links.flatMap((link) => link.numbers ?? []);
      return replace({ mark, numbers, before: text.slice(0, at + on) });
    });
  });
  return pieces.join("");
}

const RANGE = new RegExp(`( ?)(${MARK}(?: ?[–—-] ?${MARK})?)(?!\\()`, "g");
const CITATIONS = new RegExp(`( ?)(${CHAIN})(?!\\()`, "g");

function withoutUnknown(text: string, exists: (index: number) => boolean): string {
  return text.replace(CITATIONS, (chain: string, space: string, marks: string) => {
    const links = linksOf(marks).map((link) => ({ ...link, known: knownOf(link, exists) }));
    if (links.every(({ text: mark, known }) => known === mark)) return chain;
    const kept = links.filter(({ known }) => known !== "");
    const all = kept.map(({ joint, known }, at) => (at === 0 ? known : joint + known));
    return all.length === 0 ? "" : space + all.join("");
  });
}

/** A citation of a chain, or a range of it. */
interface Link {
  /** What joins it to the one before. */
  joint: string;
  text: string;
  /** Undefined where it is none, such as that of two years. */
  numbers: number[] | undefined;
}

/** `[1], [4]–[6]` → those of 1, and of 4, 5 and 6. */
function linksOf(marks: string): Link[] {
  const links: Link[] = [];
  // every second one is a citation
  const pieces = marks.split(new RegExp(`(${MARK})`));
  for (let at = 1; at < pieces.length; at += 2) {
    const link = { joint: pieces[at - 1] ?? "", text: pieces[at] ?? "" };
    const range = toRange(links.at(-1), link);
    if (range) links[links.length - 1] = range;
    else links.push({ ...link, numbers: numbersIn(link.text) });
  }
  return links;
}

/** Two citations with a dash between them, as the range that they are the ends of. */
function toRange(
  first: Link | undefined,
  last: Pick<Link, "joint" | "text">,
): Link | undefined {
  if (!first || !/[–—-]/.test(last.joint)) return undefined;
  const ends = [first.text, last.text].map((mark) => /^\[\s*(\d+)\s*\]$/.exec(mark)?.[1]);
  const numbers = ends.every(Boolean) ? numbersIn(`[${ends.join("-")}]`) : undefined;
  if (!numbers) return undefined;
  return { joint: first.joint, text: first.text + last.joint + last.text, numbers };
}

/** What is left of a citation without the passages that do not exist. */
function knownOf({ text, numbers }: Link, exists: (index: number) => boolean): string {
  const known = numbers?.filter(exists);
  if (!known || known.length === numbers?.length) return text;
  return known.length === 0 ? "" : `[${known.join(", ")}]`;
}

/** `[2, 4-6]` → `[2, 4, 5, 6]`; undefined if a range is none, such as that of two years. */
function numbersIn(mark: string): number[] | undefined {
  const all: number[] = [];
  for (const part of mark.slice(1, -1).split(/[,;]/)) {
    const [first = 0, last = first, more] = part.split(/[–-]/).map(Number);
    if (more !== undefined || last < first || last - first >= MAX_RANGE) return undefined;
    for (let number = first; number <= last; number += 1) all.push(number);
  }
  return all;
}

/** Finds where citations or backticks start that may continue in the next piece. */
function findUnfinished(text: string): number {
  const last = [...text.matchAll(new RegExp(CHAIN, "g"))].at(-1);
  // it may be joined by another one, or be the text of a link
  if (last && JOINING.test(text.slice(last.index + last[0].length)))
    return text[last.index - 1] === " " ? last.index - 1 : last.index;
  const begun = BEGUN.exec(text) ?? TICKS.exec(text);
  if (begun) return begun.index;
  return text.endsWith(" ") ? text.length - 1 : text.length;
}
