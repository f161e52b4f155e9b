/** A mark such as `[1]` or `[2, 3]`, or what may still become one. */
const MARK = /\[\s*\d{1,4}(?:\s*[,;]\s*\d{1,4})*\s*\]/g;
const BEGUN = /[ \t]?\[[\s\d,;]{0,60}$/;
/**
 * Backticks that may become more: as many open code as close it. Source: CommonMark, code spans and
 * fences.
 */
const TICKS = /`+$/;

/**
 * Lets a text through as it streams, without citations of passages that there are not: `[7]` where
 * six were given. Code is left as it is.
 * @param exists whether there is a passage with this number, asked when the mark comes.
 */
export class CitationCheck {
  readonly #exists: (index: number) => boolean;
  #held = "";
  #code = "";

  constructor(exists: (index: number) => boolean) {
    this.#exists = exists;
  }

  /** @returns what may be shown of it by now. */
  add(delta: string): string {
    const text = this.#held + delta;
    const from = unfinished(text);
    this.#held = text.slice(from);
    return this.#checked(text.slice(0, from));
  }

  /** @returns what was held back. */
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

/** A whole text, checked. */
export function checkCitations(text: string, exists: (index: number) => boolean): string {
  const check = new CitationCheck(exists);
  return check.add(text) + check.end();
}

/** The numbers that a text cites. */
export function citedIn(text: string): Set<number> {
  const cited = new Set<number>();
  checkCitations(text, (index) => {
    cited.add(index);
    return true;
  });
  return cited;
}

function withoutUnknown(text: string, exists: (index: number) => boolean): string {
  return text.replace(
    /( ?)(\[\s*\d{1,4}(?:\s*[,;]\s*\d{1,4})*\s*\])(?!\()/g,
    (mark: string, space: string, numbers: string) => {
      const all = [...numbers.matchAll(/\d+/g)].map(Number);
      const known = all.filter(exists);
      if (known.length === all.length) return mark;
      return known.length === 0 ? "" : `${space}[${known.join(", ")}]`;
    },
  );
}

/** Where what may not be shown yet begins: a mark or backticks that may go on. */
function unfinished(text: string): number {
  const begun = BEGUN.exec(text) ?? TICKS.exec(text);
  if (begun) return begun.index;
  // a mark at the very end may be the text of a link
  const last = [...text.matchAll(MARK)].at(-1);
  if (last && last.index + last[0].length === text.length)
    return text[last.index - 1] === " " ? last.index - 1 : last.index;
  return text.endsWith(" ") ? text.length - 1 : text.length;
}
