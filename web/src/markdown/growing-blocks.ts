import type { Token, Tokens } from "marked";
import { lex } from "./lex.ts";

export interface Block {
  /** Stays the same while the text grows. */
  key: number;
  token: Token;
}

const REFERENCE = /^ {0,3}\[(?!\^)[^\]\n]+\]:/m;

/** A list or table of which the first items or rows cannot change any more. */
interface Open {
  block: Tokens.List | Tokens.Table;
  /** Of its text. */
  length: number;
  /** Stands in its place, so that what follows is read as it would be behind it. */
  head: string;
}

/** So many items or rows come before the first of them are settled. */
const MIN_OPEN = 12;
/** The last item may continue, and half a line decides whether another one begins. */
const UNSETTLED = 2;

/**
 * The blocks of a Markdown text that grows. Blocks that later text cannot change keep their
 * identity, so that only the last one is rendered again.
 *
 * Only whole lines settle a block: half a line may be read differently once it is complete. The
 * last block stays open, because the next line may continue it. Of a long list or table that is
 * open only the end is read again, and the other items and rows keep their identity.
 */
export class GrowingBlocks {
  #text = "";
  #settled: Block[] = [];
  /** Length of the text that `#settled` covers. */
  #offset = 0;
  /** The beginning of the block behind it. */
  #open: Open | undefined;
  /** Where the last whole line ends that was read to settle blocks. */
  #linesEnd = 0;

  /** The blocks of the text so far. `isComplete`: nothing more comes. */
  update(given: string, isComplete = false): readonly Block[] {
    const text = given.includes("\r") ? given.replace(/\r\n?/g, "\n") : given;
    if (!text.startsWith(this.#text)) this.#reset();
    this.#text = text;
    if (isComplete && REFERENCE.test(text)) return this.#readWhole(text);
    this.#settle(text);
    return [...this.#settled, ...this.#number(this.#read(text.slice(this.#offset)))];
  }

  /** A definition of a link may stand below its use. */
  #readWhole(text: string): readonly Block[] {
    this.#reset();
    return this.#number(lex(text));
  }

  #settle(text: string): void {
    const end = text.lastIndexOf("\n") + 1;
    if (end <= this.#linesEnd) return;
    this.#linesEnd = end;
    const lines = text.slice(this.#offset, end);
    const tokens = this.#read(lines);
    const length = tokens.reduce((sum, { raw }) => sum + raw.length, 0);
    if (length !== lines.length) return;
    const last = tokens.findLastIndex(({ type }) => type !== "space");
    const done = tokens.slice(0, Math.max(0, last));
    if (done.length > 0) {
      this.#settled = [...this.#settled, ...this.#number(done)];
      this.#offset += done.reduce((sum, { raw }) => sum + raw.length, 0);
      this.#open = undefined;
    }
    const block = tokens[Math.max(0, last)];
    if (block) this.#open = openOf(block, this.#open) ?? this.#open;
  }

  /** The tokens of what is not settled. */
  #read(source: string): Token[] {
    const tokens = this.#open && readOn(this.#open, source);
    if (!tokens) this.#open = undefined;
    return tokens ?? [...lex(source)];
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
    this.#open = undefined;
    this.#linesEnd = 0;
  }
}

/** What of a list or table is settled, where that is much more than before. */
function openOf(block: Token, before: Open | undefined): Open | undefined {
  if (block.type === "list") {
    const list = block as Tokens.List;
    const items = list.items.slice(0, -UNSETTLED);
    if (items.length < countSettled(before) + MIN_OPEN) return undefined;
    const raw = items.map((item) => item.raw).join("");
    // an item and a blank line: all items of the list are loose
    const head = list.loose ? `${markOf(list)} x\n\n` : "";
    return { block: { ...list, items, raw }, head, length: raw.length };
  }
  if (block.type === "table") {
    const table = block as Tokens.Table;
    const rows = table.rows.slice(0, -UNSETTLED);
    if (rows.length < countSettled(before) + MIN_OPEN) return undefined;
    const lines = table.raw.split("\n");
    const raw = `${lines.slice(0, rows.length + 2).join("\n")}\n`;
    const head = `${lines.slice(0, 2).join("\n")}\n`;
    return { block: { ...table, rows, raw }, head, length: raw.length };
  }
  return undefined;
}

function countSettled(open: Open | undefined): number {
  if (!open) return 0;
  return "items" in open.block ? open.block.items.length : open.block.rows.length;
}

/** Reads a text that begins with what is open. Undefined: it does not go on as it began. */
function readOn(open: Open, source: string): Token[] | undefined {
  const { head, length } = open;
  const [first, ...others] = lex(head + source.slice(length));
  if (first?.type !== open.block.type) return undefined;
  const joined =
    "items" in open.block
      ? joinLists(open.block, head, first as Tokens.List)
      : joinTables(open.block, head, first as Tokens.Table);
  return joined && [joined, ...others];
}

function joinTables(begun: Tokens.Table, head: string, end: Tokens.Table): Tokens.Table {
  const rows = [...begun.rows, ...end.rows];
  return { ...begun, rows, raw: begun.raw + end.raw.slice(head.length) };
}

/** Undefined: the end is of other marks, or makes all items loose. */
function joinLists(
  begun: Tokens.List,
  head: string,
  end: Tokens.List,
): Tokens.List | undefined {
  if (markOf(begun) !== markOf(end)) return undefined;
  const isLoose = end.loose || BLANK_LINE_AT_END.test(begun.raw);
  if (isLoose !== begun.loose) return undefined;
  const items = [...begun.items, ...(head === "" ? end.items : end.items.slice(1))];
  return { ...begun, items, raw: begun.raw + end.raw.slice(head.length) };
}

const BLANK_LINE_AT_END = /\n[ \t]*\n[ \t]*$/;

/** What the items of a list begin with, such as `1.`: a list of other marks is another list. */
function markOf({ raw }: Tokens.List): string {
  const [, delimiter, bullet] = /^ {0,3}(?:\d{1,9}([.)])|([*+-]))/.exec(raw) ?? [];
  return bullet ?? `1${delimiter ?? ""}`;
}
