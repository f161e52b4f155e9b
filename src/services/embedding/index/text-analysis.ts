import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";

/** A text in the form of the type `tsvector`. */
export interface AnalysedText {
  search: string;
  /** The number of words that are indexed, for BM25. */
  searchLength: number;
}

interface Text {
  /** Words, separated by spaces, as `searchableText` returns them. */
  words: string;
  /** The full-text configuration of PostgreSQL. */
  textConfig: string;
}

/** A word has more than one lexeme where PostgreSQL divides it; a stop word has none. */
type Lexemes = readonly string[];

const MAX_CACHED_WORDS = 100_000;
const WORDS_PER_STATEMENT = 20_000;
/** Limits of a `tsvector`. */
const MAX_POSITION = 16_383;
const MAX_POSITIONS = 255;
const LEXEME = /'((?:[^']|'')*)':([\d,]+) ?/gy;

/**
 * Returns a function that analyses texts as PostgreSQL's `to_tsvector` does. PostgreSQL analyses
 * each word once, and not each occurrence, which takes a third of the time.
 */
export function createTextAnalysis(db: Database) {
  const cache = new Map<string, Lexemes>();
  return async (texts: readonly Text[]): Promise<AnalysedText[]> => {
    if (cache.size > MAX_CACHED_WORDS) cache.clear();
    for (const [textConfig, words] of unknownWords(texts, cache))
      for (let at = 0; at < words.length; at += WORDS_PER_STATEMENT)
        await analyseWords(
          db,
          cache,
          textConfig,
          words.slice(at, at + WORDS_PER_STATEMENT),
        );
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
  for (const { words, textConfig } of texts) {
    const found = unknown.get(textConfig) ?? new Set();
    unknown.set(textConfig, found);
    for (const word of words.split(" "))
      if (word !== "" && !cache.has(keyOf(textConfig, word))) found.add(word);
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
      .map(({ lexeme }) => lexeme);
    cache.set(keyOf(textConfig, words[at] ?? ""), lexemes);
  }
}

function analyse(
  { words, textConfig }: Text,
  cache: ReadonlyMap<string, Lexemes>,
): AnalysedText {
  const positions = new Map<string, number[]>();
  let position = 0;
  let searchLength = 0;
  for (const word of words.split(" ")) {
    const lexemes = cache.get(keyOf(textConfig, word)) ?? [];
    for (const [at, lexeme] of lexemes.entries()) {
      const known = positions.get(lexeme);
      if (!known) positions.set(lexeme, [Math.min(MAX_POSITION, position + at + 1)]);
      else if (known.length < MAX_POSITIONS && (known.at(-1) ?? 0) < MAX_POSITION)
        known.push(Math.min(MAX_POSITION, position + at + 1));
      else continue;
      searchLength += 1;
    }
    // a stop word takes a position, too
    position += Math.max(1, lexemes.length);
  }
  // the lexemes are quoted already
  const search = [...positions]
    .map(([lexeme, at]) => `'${lexeme}':${at.join(",")}`)
    .join(" ");
  return { search, searchLength };
}
