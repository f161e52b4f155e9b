/** A file that passages for the model are of. */
export interface CitedFile {
  file_id: string;
  filename: string;
}

const MARK = / ?【(\d{1,4})(?:†[^】]{0,100})?】/;
/** What may become a mark with the next piece of text. */
const BEGINNING = / ?(?:【[^】]{0,110})?$/;

/**
 * Takes the marks of passages, such as 【1】, out of a text that arrives in pieces. A mark of no
 * passage is left out: it would cite nothing.
 */
export class CitationReader {
  readonly #files: readonly CitedFile[];
  #held = "";

  /** @param files those of the passages, in their order; others may follow. */
  constructor(files: readonly CitedFile[]) {
    this.#files = files;
  }

  read(delta: string): (string | CitedFile)[] {
    const pieces: (string | CitedFile)[] = [];
    let text = this.#held + delta;
    for (let mark = MARK.exec(text); mark; mark = MARK.exec(text)) {
      pieces.push(text.slice(0, mark.index));
      const file = this.#files[Number(mark[1]) - 1];
      if (file) pieces.push(file);
      text = text.slice(mark.index + mark[0].length);
    }
    this.#held = BEGINNING.exec(text)?.[0] ?? "";
    pieces.push(text.slice(0, text.length - this.#held.length));
    return pieces.filter((piece) => piece !== "");
  }

  /** What was held back, when no more text comes. */
  end(): string {
    const held = this.#held;
    this.#held = "";
    return held;
  }
}
