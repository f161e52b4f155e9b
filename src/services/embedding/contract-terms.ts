/**
 * How texts become the terms of full-text search. The embedding service indexes and the retrieval
 * service searches with it, so both have the same terms.
 */
import { foldLetters, foldText, spellingsOf } from "./contract-letters.ts";

export { foldLetters };

/** What stands at one place of a text. */
export interface Term {
  /** In lower case, to be reduced to its stem. Empty: there are only the exact forms. */
  word: string;
  /** The same without its separators, to be reduced to its stem, too. */
  joined?: readonly string[];
  /** Forms with their signs, which are searched as they are. */
  exact: readonly string[];
  /** How a stop word is written that may be a name: `WHO`, `Who`. */
  name?: string;
}

const MAX_WORD_CHARACTERS = 256;
/** A word, with the signs that change its meaning. */
const TOKEN =
  /(?<before>[-−–<>≤≥.§]? ?)(?<run>[\p{L}\p{M}\p{N}]+)(?<after>\+{1,2}(?![\p{L}\p{N}])|#(?![\p{L}\p{N}])| ?[%‰])?/gu;
const CAMEL_CASE_BOUNDARY = /(?<=\p{Ll})(?=\p{Lu})/u;
/** A quick test: all scripts that are divided come after these characters. */
const SPACED = /^[\0-\u0dff]*$/; // oxlint-disable-line no-control-regex
const SEGMENT =
  /(?<divided>[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+)|(?<hangul>\p{Script=Hangul}+)|(?<other>(?:(?![\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Hangul}]).)+)/gu;

interface Token {
  at: number;
  end: number;
  run: string;
}

/** Returns the terms of a text in order. */
export function termsOf(text: string): Term[] {
  const plain = foldText(text);
  const terms: Term[] = [];
  /** Words that no more than one separator divides, such as the groups of an IBAN. */
  let group: { tokens: Token[]; term: number } | undefined;
  const endGroup = () => {
    const first = group && terms[group.term];
    const joined = group && first ? joinGroup(plain, group.tokens) : [];
    if (group && first && joined.length > 0)
      terms[group.term] = { ...first, joined: [...(first.joined ?? []), ...joined] };
    group = undefined;
  };
  for (const match of plain.matchAll(TOKEN)) {
    const { before = "", run = "", after = "" } = match.groups ?? {};
    if (run.length > MAX_WORD_CHARACTERS) continue;
    const at = match.index + before.length;
    const token = { at, end: at + run.length, run };
    const last = group?.tokens.at(-1);
    if (!last || !isJoint(plain, last.end, at)) endGroup();
    if (group) group.tokens.push(token);
    else group = { tokens: [token], term: terms.length };
    const signed = withSigns(plain, match.index, before, run, after);
    if (signed) terms.push(signed);
    else addRun(terms, plain, token);
  }
  endGroup();
  return terms;
}

/** The part of a text between two words, one separator or none, as in `DE89 3704`. */
function isJoint(text: string, from: number, to: number): boolean {
  return to - from === 1 && /[ \-‐‑.,/_'’:\u00a0\u202f]/u.test(text.slice(from, to));
}

const MAX_GROUP = 12;
const MAX_PREFIX_CHARACTERS = 5;
const HAS_DIGIT = /\p{N}/u;

/** An identifier without its separators: IBAN, phone number, `RFC 2119`, `Node.js`, `1.000.000`. */
function joinGroup(text: string, tokens: readonly Token[]): string[] {
  const joined = new Set<string>();
  const add = (part: readonly Token[]) => {
    const whole = part.map(({ run }) => run).join("");
    if (part.length < 2 || part.length > MAX_GROUP || whole.length > 80) return;
    const word = foldLetters(whole.toLowerCase());
    joined.add(word);
    const year = yearOf(word);
    if (year !== undefined && part.at(-1)?.run !== year) joined.add(year);
  };
  for (let at = 0; at < tokens.length; at += 1) {
    const from = at;
    if (HAS_DIGIT.test(tokens[at]?.run ?? "")) {
      while (HAS_DIGIT.test(tokens[at + 1]?.run ?? "")) at += 1;
      const digits = tokens.slice(from, at + 1);
      // 1.10 is not 110, and 1.000 is 1000
      if (!isDecimal(text, digits)) add(digits);
      const before = tokens[from - 1];
      if (before && before.run.length <= MAX_PREFIX_CHARACTERS) add([before, ...digits]);
    } else {
      while (
        tokens[at + 1] &&
        !HAS_DIGIT.test(tokens[at + 1]?.run ?? "") &&
        text[tokens[at]?.end ?? 0] !== " "
      )
        at += 1;
      const letters = tokens.slice(from, at + 1);
      if (letters.length <= 4) add(letters);
    }
  }
  return [...joined];
}

/** Business years of English and German: `FY2021`, `FY21`, `GJ 2021`. */
const BUSINESS_YEAR = /^(?:fy|gj)((?:19|20)?\d\d)$/;
/** Of a year in two digits. */
const FIRST_YEAR = 1970;

/** The year of a business year, by which "FY21" finds "fiscal 2021" and the other way. */
function yearOf(word: string): string | undefined {
  const [, year] = BUSINESS_YEAR.exec(word) ?? [];
  if (year === undefined || year.length === 4) return year;
  return String(Number(year) + (Number(year) < FIRST_YEAR % 100 ? 2000 : 1900));
}

function isDecimal(text: string, tokens: readonly Token[]): boolean {
  const [first, ...rest] = tokens;
  const isNumber = tokens.every(({ run }) => /^\p{Nd}+$/u.test(run));
  const points = tokens.slice(0, -1).every(({ end }) => /[.,:]/.test(text[end] ?? ""));
  if (!isNumber || !points || !first) return false;
  return !(first.run.length <= 3 && rest.every(({ run }) => run.length === 3));
}

/** A word whose signs make it another: C++, C#, A+, .NET, −40, <5, § 5, 5 %. */
function withSigns(
  text: string,
  at: number,
  before: string,
  run: string,
  after: string,
): Term | undefined {
  const word = run.toLowerCase();
  if (/^[+#]/.test(after) && run.length <= 3 && !HAS_DIGIT.test(run))
    return { word: "", exact: [word + after] };
  const isFree = at === 0 || /[\s([{|:;=]/u.test(text[at - 1] ?? "");
  if (/^\p{Nd}/u.test(run)) {
    if (isFree && /^[-−–]$/u.test(before)) return { word: "", exact: [`-${word}`] };
    if (/^[<>≤≥]/u.test(before)) return { word: "", exact: [before.trim() + word] };
    if (before.startsWith("§")) return { word, exact: [`§${word}`] };
    if (/[%‰]$/u.test(after)) return { word, exact: [word + after.trim()] };
  }
  if (isFree && before === "." && /^\p{L}+$/u.test(run))
    return { word, exact: [`.${word}`] };
  return undefined;
}

function addRun(terms: Term[], text: string, token: Token): void {
  const { run } = token;
  if (SPACED.test(run)) {
    addWord(terms, text, token);
    return;
  }
  for (const { groups, 0: part, index } of run.matchAll(SEGMENT)) {
    if (groups?.["divided"]) addCharacters(terms, part);
    else if (groups?.["hangul"]) addSyllables(terms, part);
    else
      addWord(terms, text, {
        at: token.at + index,
        end: token.at + index + part.length,
        run: part,
      });
  }
}

/** Scripts without spaces between words are divided into characters and pairs of them. */
function addCharacters(terms: Term[], run: string): void {
  const characters = [...run];
  for (const [n, character] of characters.entries()) {
    terms.push({ word: character, exact: [] });
    const next = characters[n + 1];
    if (next !== undefined) terms.push({ word: character + next, exact: [] });
  }
}

/** Korean words end in particles: a word counts whole, and by the pairs of its syllables. */
function addSyllables(terms: Term[], run: string): void {
  const syllables = [...run];
  if (syllables.length < 3) terms.push({ word: run, exact: [] });
  else
    for (const [n, syllable] of syllables.slice(0, -1).entries())
      terms.push({
        word: syllable + (syllables[n + 1] ?? ""),
        exact: [],
        ...(n === 0 && { joined: [run] }),
      });
}

function addWord(terms: Term[], text: string, token: Token): void {
  const { run } = token;
  const word = run.toLowerCase();
  const name = nameOf(text, token);
  const year = yearOf(word);
  terms.push({
    word,
    exact: [],
    ...(year !== undefined && { joined: [year] }),
    ...(name !== undefined && { name }),
  });
  if (word === run || !CAMEL_CASE_BOUNDARY.test(run)) return;
  for (const part of run.split(CAMEL_CASE_BOUNDARY))
    if (part.length > 1) terms.push({ word: part.toLowerCase(), exact: [] });
}

/** A word in capitals, or one that begins with a capital inside of a sentence. */
function nameOf(text: string, { at, run }: Token): string | undefined {
  if (!/^\p{Lu}/u.test(run) || run.length > 5 || !/^\p{L}+$/u.test(run)) return undefined;
  const isCapital = run === run.toUpperCase();
  const startsSentence =
    at === 0 || /[.!?:\n\r#*>|"'“„(]\s?$/u.test(text.slice(Math.max(0, at - 2), at));
  if (run === "I" || (startsSentence && (!isCapital || run.length === 1))) return undefined;
  return run;
}

/**
 * The spellings of a word, each of which is reduced to its stem: as it is written, without accents,
 * and with two letters for an umlaut.
 */
export function variantsOf(word: string): string[] {
  return [...new Set([word, ...spellingsOf(word)])];
}

/** The indexed form of a stop word, which only a question of stop words asks for. */
export function stopTerm(word: string): string {
  return `~${foldLetters(word)}`;
}

/** The indexed form of a stop word that is written as a name. */
export function nameTerm(name: string): string {
  return `=${name}`;
}

/**
 * The languages that write compounds as one word, by full-text configuration, with the letters that
 * may join the parts: "Arbeitszeit" is "Arbeit" and "Zeit".
 */
export const COMPOUND_JOINTS: Readonly<Record<string, readonly string[]>> = {
  german: ["", "s", "es", "n", "en", "er"],
  dutch: ["", "s", "e", "en"],
  danish: ["", "s", "e"],
  norwegian: ["", "s", "e"],
  swedish: ["", "s"],
  finnish: ["", "n"],
  hungarian: [""],
};
export const MIN_PART_CHARACTERS = 4;
/** Of what a known part leaves: "Tag", "lov". */
export const MIN_REST_CHARACTERS = 3;
const MAX_COMPOUND_CHARACTERS = 60;

/**
 * The indexed form of a word by its end, so that a question finds a compound by its last part.
 * @returns undefined for a word that cannot be a compound
 */
export function endTerm(lexeme: string): string | undefined {
  const { length } = lexeme;
  if (
    length < MIN_PART_CHARACTERS + MIN_REST_CHARACTERS ||
    length > MAX_COMPOUND_CHARACTERS
  )
    return undefined;
  return /^\p{L}+$/u.test(lexeme) ? beginningOfEnd(lexeme) : undefined;
}

/** With what the forms by their ends begin of all words that end like this. */
export function beginningOfEnd(end: string): string {
  return `^${[...end].toReversed().join("")}`;
}

/** What a word may also mean with a sign, or a word with signs without them. */
export function neighboursOf({ word, exact }: Term): string[] {
  if (word === "")
    return exact.flatMap((form) => form.replace(/^[-<>≤≥]|(?<![+#])[+#]+$/gu, ""));
  if (/^\p{Nd}+$/u.test(word))
    return [`-${word}`, `<${word}`, `>${word}`, `≤${word}`, `≥${word}`];
  return word.length <= 2 ? [`${word}++`, `${word}+`, `${word}#`] : [];
}
