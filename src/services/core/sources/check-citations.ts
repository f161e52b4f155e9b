/** A citation such as `[1]`, `[2, 3]` or `[4-6]`. */
const MARK = /\[\s*\d{1,4}(?:\s*[,;–-]\s*\d{1,4})*\s*\]/g;
const BEGUN = /[ \t]?\[[\s\d,;–-]{0,60}$/;
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
    return piece.replace(
      CITATION,
      (mark: string, _: string, marked: string, on: number) => {
        const numbers = numbersIn(marked);
        return numbers ? replace({ mark, numbers, before: text.slice(0, at + on) }) : mark;
      },
    );
  });
  return pieces.join("");
}

const CITATION = /( ?)(\[\s*\d{1,4}(?:\s*[,;–-]\s*\d{1,4})*\s*\])(?!\()/g;

function withoutUnknown(text: string, exists: (index: number) => boolean): string {
  return text.replace(CITATION, (mark: string, space: string, numbers: string) => {
    const all = numbersIn(numbers);
    if (!all) return mark;
    const known = all.filter(exists);
    if (known.length === all.length) return mark;
    return known.length === 0 ? "" : `${space}[${known.join(", ")}]`;
  });
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

/** Finds where a citation or backticks start that may continue in the next piece. */
function findUnfinished(text: string): number {
  const begun = BEGUN.exec(text) ?? TICKS.exec(text);
  if (begun) return begun.index;
  // a citation at the very end may be the text of a link
  const last = [...text.matchAll(MARK)].at(-1);
  if (last && last.index + last[0].length === text.length)
    return text[last.index - 1] === " " ? last.index - 1 : last.index;
  return text.endsWith(" ") ? text.length - 1 : text.length;
}
