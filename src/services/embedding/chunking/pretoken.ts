const OTHER = 0;
const LETTER = 1;
const NUMBER = 2;
const SPACE = 3;
const LINE_END = 4;

/** Longer words are divided, because merging the byte pairs of a piece takes quadratic time. */
const MAX_WORD_CHARACTERS = 128;
const MAX_WIDE_WORD_CHARACTERS = 64;
/** The same for runs of spaces, or of one repeated sign. */
const MAX_SAME_CHARACTERS = 512;

/** The class of each UTF-16 unit of the basic multilingual plane, made on first use. */
let classes: Uint8Array | undefined;

/**
 * The end of the piece that begins at `at`: what the pattern of cl100k_base matches there, in the
 * text up to `end`. One pass without the regular expression. Source: openai/tiktoken `cl100k_base`,
 * as gpt-tokenizer states it.
 */
export function endOfPretoken(text: string, at: number, end: number): number {
  const first = classAt(text, at);
  if (text.charCodeAt(at) === 39) {
    const contraction = contractionLength(text, at, end);
    if (contraction > 0) return at + contraction;
  }
  if (first === LETTER) return endOfRun(text, at, end, LETTER);
  const next = at + widthAt(text, at);
  if (
    first !== LINE_END &&
    first !== NUMBER &&
    next < end &&
    classAt(text, next) === LETTER
  )
    return endOfRun(text, next, end, LETTER);
  if (first === NUMBER) return endOfNumber(text, at, end);
  if (first === OTHER) return endOfMarks(text, at, end);
  if (text.charCodeAt(at) === 32 && next < end && classAt(text, next) === OTHER)
    return endOfMarks(text, next, end);
  return endOfSpace(text, at, end);
}

export function isSpaceAt(text: string, at: number): boolean {
  const found = classAt(text, at);
  return found === SPACE || found === LINE_END;
}

function classAt(text: string, at: number): number {
  classes ??= makeClasses();
  const unit = text.charCodeAt(at);
  if (unit >= 0xd800 && unit < 0xdc00 && widthAt(text, at) === 2)
    return classOf(text.slice(at, at + 2));
  return classes[unit] ?? OTHER;
}

function widthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

function makeClasses(): Uint8Array {
  return Uint8Array.from({ length: 0x10000 }, (_, unit) =>
    classOf(String.fromCharCode(unit)),
  );
}

function classOf(character: string): number {
  if (character === "\r" || character === "\n") return LINE_END;
  if (/\s/u.test(character)) return SPACE;
  if (/\p{L}/u.test(character)) return LETTER;
  return /\p{N}/u.test(character) ? NUMBER : OTHER;
}

function endOfRun(text: string, from: number, end: number, wanted: number): number {
  const first = text.charCodeAt(from);
  const sameUntil = Math.min(end, from + MAX_SAME_CHARACTERS);
  const most = Math.min(
    end,
    from + (first > 0x7ff ? MAX_WIDE_WORD_CHARACTERS : MAX_WORD_CHARACTERS),
  );
  let at = from;
  while (at < sameUntil && text.charCodeAt(at) === first && first < 0xd800) at += 1;
  while (at < most && classAt(text, at) === wanted) at += widthAt(text, at);
  return Math.min(at, end);
}

function endOfNumber(text: string, from: number, end: number): number {
  let at = from;
  for (let digits = 0; digits < 3 && at < end && classAt(text, at) === NUMBER; digits += 1)
    at += widthAt(text, at);
  return Math.min(at, end);
}

function endOfMarks(text: string, from: number, end: number): number {
  let at = endOfRun(text, from, end, OTHER);
  const most = Math.min(end, from + MAX_SAME_CHARACTERS);
  while (at < most && classAt(text, at) === LINE_END) at += 1;
  return at;
}

/**
 * The end of a run of white space: after its last line end; without one, before its last character,
 * which belongs to the next piece.
 */
function endOfSpace(text: string, from: number, end: number): number {
  const most = Math.min(end, from + MAX_SAME_CHARACTERS);
  let at = from;
  let afterLine = from;
  while (at < most && isSpaceAt(text, at)) {
    if (classAt(text, at) === LINE_END) afterLine = at + 1;
    at += 1;
  }
  if (at === end || at === most) return at;
  if (afterLine > from) return afterLine;
  return at - from > 1 ? at - 1 : at;
}

function contractionLength(text: string, at: number, end: number): number {
  const first = at + 1 < end ? text.charCodeAt(at + 1) | 32 : 0;
  const second = at + 2 < end ? text.charCodeAt(at + 2) | 32 : 0;
  if (first > 127 || !isAsciiLetter(text.charCodeAt(at + 1))) return 0;
  const letter = String.fromCharCode(first);
  if ("sdmt".includes(letter)) return 2;
  if (!isAsciiLetter(text.charCodeAt(at + 2))) return 0;
  return ["ll", "ve", "re"].includes(letter + String.fromCharCode(second)) ? 3 : 0;
}

function isAsciiLetter(unit: number): boolean {
  const lower = unit | 32;
  return lower >= 97 && lower <= 122 && unit < 128;
}
