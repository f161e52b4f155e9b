import type { Token } from "marked";
import { lex } from "./lex.ts";

export interface Block {
  /** Stays the same while the text grows. */
  key: number;
  token: Token;
}

const REFERENCE = /^ {0,3}\[(?!\^)[^\]\n]+\]:/m;

/**
 * The blocks of a Markdown text that grows. Blocks that later text cannot change keep their
 * identity, so that only the last one is rendered again.
 *
 * Only whole lines settle a block: half a line may be read differently once it is complete. The
 * last block stays open, because the next line may continue it.
 */
export class GrowingBlocks {
  #text = "";
  #settled: Block[] = [];
  /** Length of the text that `#settled` covers. */
  #offset = 0;

  /** The blocks of the text so far. `isComplete`: nothing more comes. */
  update(given: string, isComplete = false): readonly Block[] {
    const text = given.includes("\r") ? given.replace(/\r\n?/g, "\n") : given;
    if (!text.startsWith(this.#text)) this.#reset();
    this.#text = text;
    if (isComplete && REFERENCE.test(text)) return this.#readWhole(text);
    this.#settle(text);
    return [...this.#settled, ...this.#number(lex(text.slice(this.#offset)))];
  }

  /** A definition of a link may stand below its use. */
  #readWhole(text: string): readonly Block[] {
    this.#reset();
    return this.#number(lex(text));
  }

  #settle(text: string): void {
    const lines = text.slice(this.#offset, text.lastIndexOf("\n") + 1);
    if (lines === "") return;
    const tokens: Token[] = [...lex(lines)];
    const length = tokens.reduce((sum, { raw }) => sum + raw.length, 0);
    const last = tokens.findLastIndex(({ type }) => type !== "space");
    if (length !== lines.length || last <= 0) return;
    const done = tokens.slice(0, last);
    this.#settled = [...this.#settled, ...this.#number(done)];
    this.#offset += done.reduce((sum, { raw }) => sum + raw.length, 0);
  }

  #number(tokens: Token[]): Block[] {
    const first = this.#settled.length;
    return tokens
      .filter(({ type }) => type !== "space" && type !== "def")
      .map((token, at) => ({ key: first + at, token }));
  }

  #reset(): void {
    this.#text = "";
    this.#settled = [];
    this.#offset = 0;
  }
}
