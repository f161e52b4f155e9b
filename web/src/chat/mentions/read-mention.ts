/** What is typed after `@` or `#`, up to the caret. */
export interface Mention {
  sign: "@" | "#";
  words: string;
  /** Where the sign is. */
  start: number;
}

const MAX_WORDS = 40;

/** Reads the mention that the caret is in; a sign within a word, as in an address, is none. */
export function readMention(text: string, caret: number): Mention | undefined {
  // a long text is not read at every key
  const before = text.slice(Math.max(0, caret - MAX_WORDS - 2), caret);
  const found = /(?:^|\s)([@#])([^\s@#]{0,40})$/.exec(before);
  const [, sign, words = ""] = found ?? [];
  if (sign !== "@" && sign !== "#") return undefined;
  const start = caret - words.length - 1;
  const isWithin = start > 0 && /\S/.test(text.charAt(start - 1));
  return isWithin ? undefined : { sign, words, start };
}
