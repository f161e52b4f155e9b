import type { Glyph, Link } from "./page-content.ts";
import type { Word } from "./layout.ts";
import { raised } from "../formats/blocks.ts";
import { holds } from "./geometry.ts";
import { joinSpaced } from "./join-spaced.ts";
import { RTL } from "./right-to-left.ts";

/** A wider gap, in ems, is a space. */
const SPACE = 0.17;
/** The same where the file has a space. */
const REAL_SPACE = 0.02;
/** A jump backwards, in ems, that starts another piece of text. */
const BACK = 0.5;
const RAISED_SIZE = 0.85;
const MARK_LENGTH = 3;
/** The maximum width in ems of a fraction within a line. */
const FRACTION = 4;
/** The maximum distance in ems to the next word of a line. */
const NEAR = 2;
/** A page writes its spaces if this share of neighbouring words has one between them. */
const WRITES_SPACES = 0.85;
/** The maximum distance in ems between neighbouring words of one text. */
const CLOSE = 0.8;

/** Joins the characters of a page, in the order of the file, into words. */
export function buildWords(glyphs: readonly Glyph[], links: readonly Link[]): Word[] {
  const words: Word[] = [];
  const doubles = new Map<string, Glyph[]>();
  let word: Word | undefined;
  let last: Glyph | undefined;
  let onLine: Glyph | undefined;
  for (const glyph of glyphs) {
    // some programs draw text twice with a small offset to make it bold
    if (!glyph.ligature && isDouble(doubles, glyph)) continue;
    const joins = word && last ? joinOf(word, last, glyph) : "apart";
    if (word && joins === "same") {
      word.text += glyph.text;
      word.left = Math.min(word.left, glyph.left);
      word.right = Math.max(word.right, glyph.right);
      word.top = Math.min(word.top, glyph.top);
      word.bottom = Math.max(word.bottom, glyph.bottom);
    } else {
      const marked = word && last ? isMark(word, last, glyph) : false;
      if (word && marked) word.script = true;
      const script: boolean =
        joins === "script" ||
        (joins === "apart" && last !== undefined && isRaised(last, glyph)) ||
        (joins === "apart" && last !== undefined && isRoot(last, glyph)) ||
        (joins === "apart" && word?.script === true && isBelow(onLine, last, glyph)) ||
        (joins === "glued" && word?.script === true && glyph.size <= word.size);
      word = {
        text: glyph.text,
        left: glyph.left,
        top: glyph.top,
        right: glyph.right,
        bottom: glyph.bottom,
        baseline: glyph.baseline,
        size: glyph.size,
        style: glyph.style,
        glued: (joins === "glued" && !marked) || joins === "script",
        spaced: glyph.spaced,
        begins: joins === "apart" && !(last && isBeside(last, glyph)),
        script,
        ...(glyph.cell && { cell: glyph.cell }),
      };
      words.push(word);
    }
    last = glyph;
    if (!word.script) onLine = glyph;
  }
  markUnspaced(words);
  for (const each of words) each.text = tidy(each.text);
  raiseExponents(words);
  const whole = joinSpaced(words);
  linkWords(whole, links);
  return whole.filter((each) => each.text !== "");
}

/** Writes what stands above a number as such, because 10⁶ is not 106. */
function raiseExponents(words: readonly Word[]): void {
  for (const [at, word] of words.entries()) {
    const base = words[at - 1];
    if (!base || base.script || !word.script || !word.glued) continue;
    if (/\d$/.test(base.text) && word.baseline < base.baseline)
      word.text = raised(word.text);
  }
}

/** Whether a character is set small above the line of the one before it, after a space. */
function isRaised(last: Glyph, glyph: Glyph): boolean {
  const gap = glyph.left - last.right;
  const shift = last.baseline - glyph.baseline;
  return (
    glyph.size < RAISED_SIZE * last.size &&
    shift > 0.15 * last.size &&
    shift < 0.7 * last.size &&
    gap >= 0 &&
    gap < CLOSE * last.size
  );
}

/** Whether a short word is set small above the line that begins after it: the mark of a note. */
function isMark(word: Word, last: Glyph, glyph: Glyph): boolean {
  const gap = glyph.left - last.right;
  const shift = glyph.baseline - last.baseline;
  return (
    !word.script &&
    word.text.length <= MARK_LENGTH &&
    /\p{L}/u.test(glyph.text) &&
    last.size < RAISED_SIZE * glyph.size &&
    shift > 0.15 * glyph.size &&
    shift < 0.7 * glyph.size &&
    gap >= 0 &&
    gap < CLOSE * glyph.size
  );
}

/** Whether a character is the sign of a root, which hangs from another height than its line. */
function isRoot(last: Glyph, glyph: Glyph): boolean {
  const gap = glyph.left - last.right;
  const shift = Math.abs(last.baseline - glyph.baseline);
  return (
    glyph.text === "√" &&
    shift > 0.15 * last.size &&
    shift < last.size &&
    gap >= 0 &&
    gap < CLOSE * last.size
  );
}

/**
 * Whether a character is set small above or below the line of `base`, at the place of the script
 * `last`: an index below an exponent, or what a fraction has below its bar.
 */
function isBelow(base: Glyph | undefined, last: Glyph | undefined, glyph: Glyph): boolean {
  if (!base || !last || glyph.cell !== last.cell) return false;
  const gap = glyph.left - last.right;
  return (
    glyph.size < RAISED_SIZE * base.size &&
    Math.abs(glyph.baseline - base.baseline) < 0.7 * base.size &&
    glyph.left >= base.left &&
    gap < CLOSE * base.size &&
    gap > -FRACTION * base.size
  );
}

/** Whether a character is at the place where its line continues after another. */
function isBeside(last: Glyph, glyph: Glyph): boolean {
  const size = Math.max(last.size, glyph.size);
  const gap = Math.max(glyph.left - last.right, last.left - glyph.right);
  return Math.abs(glyph.baseline - last.baseline) <= 0.15 * size && gap <= NEAR * size;
}

/** On a page that writes its spaces, a word without one begins another piece of text. */
function markUnspaced(words: readonly Word[]): void {
  const beside = words.filter((word, at) => at > 0 && !word.begins && !word.glued);
  const near = words.filter((word, at) => {
    const before = words[at - 1];
    return (
      !word.begins && !word.glued && before && word.left - before.right < CLOSE * word.size
    );
  });
  if (near.filter(({ spaced }) => spaced).length < near.length * WRITES_SPACES) return;
  for (const word of beside) if (!word.spaced) word.begins = true;
}

/** Whether the same character was drawn at this place before. */
function isDouble(seen: Map<string, Glyph[]>, glyph: Glyph): boolean {
  const cell = Math.max(glyph.size, 1);
  const x = Math.round(glyph.left / cell);
  const y = Math.round(glyph.baseline / cell);
  for (const dx of [-1, 0, 1]) {
    for (const dy of [-1, 0, 1]) {
      const near = seen.get(`${glyph.text} ${x + dx} ${y + dy}`);
      if (near?.some((other) => isSamePlace(other, glyph))) return true;
    }
  }
  const key = `${glyph.text} ${x} ${y}`;
  const here = seen.get(key);
  // limited per place: no real document draws more characters at one place
  if (here) {
    if (here.length < 12) here.push(glyph);
  } else seen.set(key, [glyph]);
  return false;
}

function isSamePlace(a: Glyph, b: Glyph): boolean {
  const near = Math.min(a.size * 0.12, (a.right - a.left) * 0.5);
  return (
    Math.abs(a.left - b.left) <= near &&
    Math.abs(a.baseline - b.baseline) <= a.size * 0.12 &&
    Math.abs(a.size - b.size) < 0.5
  );
}

function joinOf(
  word: Word,
  last: Glyph,
  glyph: Glyph,
): "same" | "glued" | "script" | "apart" {
  if (glyph.cell !== last.cell) return "apart";
  const size = Math.max(last.size, glyph.size);
  // the letters of a ligature have one position
  if (
    glyph.left === last.left &&
    glyph.baseline === last.baseline &&
    glyph.style === word.style
  )
    return "same";
  const gap =
    RTL.test(glyph.text) && glyph.left < last.left
      ? last.left - glyph.right
      : glyph.left - last.right;
  if (gap < -BACK * size || gap > SPACE * size) return "apart";
  const shift = Math.abs(glyph.baseline - last.baseline);
  if (shift > 0.15 * size) {
    const small = glyph.size < RAISED_SIZE * last.size;
    if (glyph.spaced || shift >= 0.7 * size) return "apart";
    if (small) return "script";
    return last.size < RAISED_SIZE * glyph.size ? "glued" : "apart";
  }
  if (glyph.spaced && gap > REAL_SPACE * size) return "apart";
  if (glyph.style !== word.style || Math.abs(glyph.size - word.size) > 0.05 * size)
    return "glued";
  return "same";
}

function tidy(text: string): string {
  return text.replace(/\ufffd+/g, "\ufffd").normalize("NFC");
}

function linkWords(words: Word[], links: readonly Link[]): void {
  for (const link of links) {
    for (const word of words) if (holds(link, word, 1)) word.target = link.target;
  }
}
