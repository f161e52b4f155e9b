import type { Segment, Word } from "./layout.ts";

/** The Markdown emphasis of adjacent words. */
interface Face {
  bold: boolean;
  italic: boolean;
  code: boolean;
  target: string | undefined;
}

/** Emphasis that the block implies already. */
export interface InlineOptions {
  bold?: boolean;
  italic?: boolean;
  mono?: boolean;
}

/**
 * Joins the words of lines into one line of Markdown, with emphasis, code and links. Joins
 * hyphenated words.
 */
export function writeInline(
  lines: readonly Segment[],
  options: InlineOptions = {},
): string {
  let text = "";
  let run: { face: Face; text: string } | undefined;
  const close = () => {
    if (run) text = append(text, faced(run.text, run.face));
    run = undefined;
  };
  for (const [index, line] of lines.entries()) {
    for (const [position, word] of line.words.entries()) {
      const face = faceOf(word, options);
      const hyphen =
        position === 0 && index > 0 ? hyphenAt(run?.text ?? text, word.text) : undefined;
      const glue = isGlued(word, position, index, hyphen, run?.text ?? text);
      if (hyphen === "soft" && run) run.text = run.text.slice(0, -1);
      if (run && sameFace(run.face, face))
        run.text += glue ? escaped(word.text, face) : ` ${escaped(word.text, face)}`;
      else {
        const space = glue ? "" : " ";
        close();
        run = { face, text: space + escaped(word.text, face) };
      }
    }
  }
  close();
  return text.replaceAll("\u00ad", "-").trim();
}

/** Joins the words of lines into one line of plain text. Joins hyphenated words. */
export function writePlain(lines: readonly Segment[]): string {
  let text = "";
  for (const [index, line] of lines.entries()) {
    for (const [position, word] of line.words.entries()) {
      const hyphen = position === 0 && index > 0 ? hyphenAt(text, word.text) : undefined;
      if (hyphen === "soft") text = text.slice(0, -1);
      text += isGlued(word, position, index, hyphen, text) ? word.text : ` ${word.text}`;
    }
  }
  return text.replaceAll("\u00ad", "-").trim();
}

/**
 * Whether no space precedes a word. At the start of a line that depends on the end of the line
 * before.
 */
function isGlued(
  word: Word,
  position: number,
  line: number,
  hyphen: string | undefined,
  before: string,
): boolean {
  // points that lead from a title to its page are set apart, and stand for one thing
  if (position > 0) return word.glued || (/^\.+$/.test(word.text) && before.endsWith("."));
  return line === 0 || hyphen !== undefined || isSpaceless(before, word.text);
}

function faceOf(word: Word, options: InlineOptions): Face {
  return {
    bold: word.style.bold && !options.bold && !word.script,
    italic: word.style.italic && !options.italic && !word.script,
    code: word.style.mono && !options.mono && !WIDE.test(word.text),
    target: word.target,
  };
}

const sameFace = (a: Face, b: Face): boolean =>
  a.bold === b.bold && a.italic === b.italic && a.code === b.code && a.target === b.target;

/**
 * The kind of hyphen at the end of a line: `soft` if it only divides the word, `hard` if it is part
 * of the word.
 */
function hyphenAt(before: string, after: string): "soft" | "hard" | undefined {
  // dates and ranges are divided after their hyphens
  if (/\d-$/.test(before) && /^\d/.test(after)) return "hard";
  if (!/\p{L}[-\u00ad\u2010]$/u.test(before)) return undefined;
  if (/[\u00ad\u2010]$/.test(before)) return "soft";
  return /^\p{Ll}/u.test(after) ? "soft" : "hard";
}

const WIDE = /[\u3040-\u30ff\u3400-\u9fff\uff00-\uffef\u3000-\u303f]/;

/**
 * Whether two lines are joined without a space: in Chinese and Japanese text, and within a path or
 * between alternatives.
 */
function isSpaceless(before: string, after: string): boolean {
  return (
    (/[\p{L}\p{N}]\/$/u.test(before) && /^[\p{L}\p{N}]/u.test(after)) ||
    (WIDE.test(before.at(-1) ?? "") && WIDE.test(after[0] ?? ""))
  );
}

function escaped(text: string, face: Face): string {
  if (face.code) return text.replaceAll("`", "'");
  return text.replace(
    /([\\`*]|\](?=\()|(?<![\p{L}\p{N}_])_(?=\p{L})|<(?=[a-zA-Z/!]))/gu,
    "\\$1",
  );
}

function append(text: string, more: string): string {
  return text === "" ? more.trimStart() : text + more;
}

function faced(run: string, face: Face): string {
  const inner = run.trim();
  const lead = run.slice(0, run.length - run.trimStart().length);
  if (inner === "") return run;
  let text = inner;
  if (face.code) text = `\`${text}\``;
  const worded = /[\p{L}\p{N}]/u.test(text);
  if (face.italic && worded && !face.code) text = `*${text}*`;
  if (face.bold && worded && !face.code) text = `**${text}**`;
  if (face.target !== undefined) text = linked(text, inner, face.target);
  return lead + text;
}

function linked(text: string, plain: string, target: string): string {
  const bare = target.replace(/^mailto:/i, "");
  if (plain === target || plain === bare)
    return /^https?:/i.test(plain) ? `<${plain}>` : plain;
  return `[${text}](${target.replace(/[()\s<>]/g, (character) => encodeURIComponent(character).replace("(", "%28").replace(")", "%29"))})`;
}
