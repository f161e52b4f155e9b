import { invalidFailure } from "../provider-failures.ts";

/** A reply has no longer lines. */
const MAX_LINE_CHARACTERS = 8 * 1024 * 1024;

/** Divides text into lines as it arrives. They end with LF, CRLF or, in old libraries, with CR. */
export class Lines {
  readonly #maxCharacters: number;
  #unfinished = "";
  #endedWithCr = false;

  constructor(maxCharacters = MAX_LINE_CHARACTERS) {
    this.#maxCharacters = maxCharacters;
  }

  /** Whether the next text begins a line. */
  get isBetween(): boolean {
    return this.#unfinished === "" && !this.#endedWithCr;
  }

  /**
   * Calls `read` with each line that the text completes. Only the new text is searched for line
   * ends: a long line costs no more than its length.
   * @throws ProviderFailure `provider_invalid`.
   */
  push(given: string, read: (line: string) => void): void {
    const text = this.#withLineFeeds(given);
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      const rest = text.slice(from, end);
      const line = this.#unfinished === "" ? rest : this.#unfinished + rest;
      this.#unfinished = "";
      from = end + 1;
      read(line);
    }
    this.#unfinished += text.slice(from);
    if (this.#unfinished.length > this.#maxCharacters) throw invalidFailure();
  }

  #withLineFeeds(text: string): string {
    const isRest = this.#endedWithCr && text.startsWith("\n");
    if (text !== "") this.#endedWithCr = text.endsWith("\r");
    const own = isRest ? text.slice(1) : text;
    return own.includes("\r") ? own.replace(/\r\n?/g, "\n") : own;
  }
}

/** Joins the lines of a JSON text that stands in several, such as one with indentation. */
export class JoinedLines {
  #lines: string[] = [];
  #characters = 0;

  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  /** @throws ProviderFailure `provider_invalid`. */
  add(line: string): void {
    this.#lines.push(line);
    this.#characters += line.length;
    if (this.#characters > MAX_LINE_CHARACTERS) throw invalidFailure();
  }

  take(): string {
    const text = this.#lines.join("\n");
    this.#lines = [];
    this.#characters = 0;
    return text;
  }
}
