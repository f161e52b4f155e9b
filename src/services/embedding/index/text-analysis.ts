import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { inGroups } from "../../../platform/in-groups.ts";
import { foldLetters } from "../contract-letters.ts";
import {
  COMPOUND_JOINTS,
  endTerm,
  nameTerm,
  stopTerm,
  type Term,
  variantsOf,
} from "../contract-terms.ts";

/** A text in the form of the type `tsvector`. */
export interface AnalysedText {
  search: string;
  /** The number of words that are indexed, for BM25. */
  searchLength: number;
}

interface Text {
  terms: readonly Term[];
  /** The full-text configuration of PostgreSQL. */
  textConfig: string;
}

/**
 * A word has more than one lexeme where PostgreSQL divides it; a stop word has none. Quoted as in a
 * `tsvector`.
 */
type Lexemes = readonly string[];

/** Increase it when texts have other lexemes than before: sets of an older analysis are renewed. */
export const ANALYSIS = 4;
const MAX_CACHED_WORDS = 100_000;
const WORDS_PER_STATEMENT = 20_000;
/** Limits of a `tsvector`. */
const MAX_POSITION = 16_383;
const MAX_POSITIONS = 255;
const LEXEME = /'((?:[^']|'')*)':([\d,]+) ?/gy;

/**
 * Returns a function that analyses texts as PostgreSQL's `to_tsvector` does, and adds to each word
 * its other spellings at the same place. PostgreSQL analyses each word once, and not each
 * occurrence, which takes a third of the time.
 */
export function createTextAnalysis(db: Database) {
  const cache = new Map<string, Lexemes>();
  return async (texts: readonly Text[]): Promise<AnalysedText[]> => {
    if (cache.size > MAX_CACHED_WORDS) cache.clear();
    for (const [textConfig, words] of unknownWords(texts, cache))
      for (const some of inGroups(words, WORDS_PER_STATEMENT))
        await analyseWords(db, cache, textConfig, some);
    return texts.map((text) => analyse(text, cache));
  };
}

function keyOf(textConfig: string, word: string): string {
  return `${textConfig} ${word}`;
}

function unknownWords(
  texts: readonly Text[],
  cache: ReadonlyMap<string, Lexemes>,
): Map<string, string[]> {
  const unknown = new Map<string, Set<string>>();
  for (const { terms, textConfig } of texts) {
    const found = unknown.get(textConfig) ?? new Set();
    unknown.set(textConfig, found);
    for (const { word, joined = [] } of terms)
      for (const variant of [word, ...joined].flatMap(variantsOf))
        if (variant !== "" && !cache.has(keyOf(textConfig, variant))) found.add(variant);
  }
  return new Map([...unknown].map(([textConfig, found]) => [textConfig, [...found]]));
}

async function analyseWords(
  db: Database,
  cache: Map<string, Lexemes>,
  textConfig: string,
  words: readonly string[],
): Promise<void> {
  const rows = await db.query<{ search: string }>(sql`select
      to_tsvector(${textConfig}::regconfig, word)::text as search
    from unnest(${words}::text[]) with ordinality as asked (word, at) order by at`);
  for (const [at, { search }] of rows.entries()) {
    const lexemes = [...search.matchAll(LEXEME)]
      .flatMap(([, lexeme = "", positions = ""]) =>
        positions.split(",").map((position) => ({ lexeme, position: Number(position) })),
      )
      .toSorted((one, other) => one.position - other.position)
      .map(({ lexeme }) => foldLetters(lexeme));
    cache.set(keyOf(textConfig, words[at] ?? ""), lexemes);
  }
}

function analyse(
  { terms, textConfig }: Text,
  cache: ReadonlyMap<string, Lexemes>,
): AnalysedText {
  const positions = new Map<string, number[]>();
  let position = 0;
  let searchLength = 0;
  const lexemesOf = (word: string) => cache.get(keyOf(textConfig, word)) ?? [];
  /** @returns whether there was room. */
  const add = (lexeme: string, at: number): boolean => {
    const place = Math.min(MAX_POSITION, at);
    const known = positions.get(lexeme);
    if (!known) positions.set(lexeme, [place]);
    else if (known.length < MAX_POSITIONS && (known.at(-1) ?? 0) < place) known.push(place);
    else return false;
    return true;
  };
  for (const term of terms) {
    const { word, joined = [], exact, name } = term;
    const [own = [], ...others] = variantsOf(word).map(lexemesOf);
    for (const [at, lexeme] of own.entries())
      if (add(lexeme, position + at + 1)) searchLength += 1;
    const isStopWord = word !== "" && own.length === 0;
    // a question of stop words alone asks whether they are there, not where
    if (isStopWord && !positions.has(quoted(stopTerm(word))))
      add(quoted(stopTerm(word)), position + 1);
    if (isStopWord && name !== undefined && add(quoted(nameTerm(name)), position + 1))
      searchLength += 1;
    const forms = [...others, ...joined.flatMap(variantsOf).map(lexemesOf)].flat();
    for (const lexeme of forms) add(lexeme, position + 1);
    for (const form of exact)
      if (add(quoted(form), position + 1) && word === "") searchLength += 1;
    // a stop word takes a position, too
    position += Math.max(1, own.length);
  }
  const search = [...positions].map(([lexeme, at]) => `'${lexeme}':${at.join(",")}`);
  if (textConfig in COMPOUND_JOINTS)
    for (const lexeme of positions.keys()) {
      const end = endTerm(lexeme);
      if (end !== undefined) search.push(`'${end}'`);
    }
  return { search: search.join(" "), searchLength };
}

/** As PostgreSQL writes a lexeme between quotes. */
function quoted(lexeme: string): string {
  return lexeme.replaceAll("'", "''");
}
