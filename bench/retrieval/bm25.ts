import sql from "sql-template-tag";
import type { Database } from "../../src/platform/db/database.ts";
import { textConfigOf } from "../../src/services/embedding/contract-words.ts";
import type { QuestionSet } from "./question-sets.ts";

/** Lucene's defaults. */
const K1 = 1.2;
const B = 0.75;

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const WORDS_PER_STATEMENT = 20_000;

/** Returns the positions of a set's passages, the best for a question first. */
export type Peer = (question: string, language: string | undefined) => number[];

/**
 * BM25 with the defaults of search servers, for comparison: words in lower case, stop words and
 * Snowball's stems of each text's language, Lucene's parameters, and titles as part of the text. It
 * gets the languages and need not detect them.
 */
export async function createBm25(db: Database, set: QuestionSet): Promise<Peer> {
  const stems = await readStems(db, [
    ...set.passages.map(({ title, text, language }) => ({
      text: `${title}\n${text}`,
      language: language ?? set.language,
    })),
    ...set.questions.map(({ text, language }) => ({
      text,
      language: language ?? set.language,
    })),
  ]);
  const postings = new Map<string, Map<number, number>>();
  const lengths = set.passages.map(({ title, text, language }, at) => {
    const terms = stems(`${title}\n${text}`, language ?? set.language);
    for (const term of terms) {
      const posting = postings.get(term) ?? new Map<number, number>();
      postings.set(term, posting.set(at, (posting.get(at) ?? 0) + 1));
    }
    return terms.length;
  });
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  return (question, language) => {
    const scores = new Map<number, number>();
    for (const term of stems(question, language ?? set.language)) {
      const posting = postings.get(term);
      if (!posting) continue;
      const rarity = Math.log(
        1 + (lengths.length - posting.size + 0.5) / (posting.size + 0.5),
      );
      for (const [at, times] of posting) {
        const norm = K1 * (1 - B + (B * (lengths[at] ?? 0)) / average);
        scores.set(at, (scores.get(at) ?? 0) + (rarity * times) / (times + norm));
      }
    }
    return [...scores].toSorted(([, one], [, other]) => other - one).map(([at]) => at);
  };
}

/** Returns a function that divides a text into stems, which it looked up for these texts. */
async function readStems(
  db: Database,
  texts: readonly { text: string; language: string | undefined }[],
): Promise<(text: string, language: string | undefined) => string[]> {
  const words = new Map<string, Set<string>>();
  for (const { text, language } of texts) {
    const config = textConfigOf(language ?? null);
    const known = words.get(config) ?? new Set();
    words.set(config, known);
    for (const word of wordsIn(text)) known.add(word);
  }
  const stems = new Map<string, string[]>();
  for (const [config, known] of words) {
    const dictionary = config === "simple" ? "simple" : `${config}_stem`;
    const all = [...known];
    for (let at = 0; at < all.length; at += WORDS_PER_STATEMENT) {
      const rows = await db.query<{ word: string; stems: string[] | null }>(sql`select word,
          ts_lexize(${dictionary}::regdictionary, word) as stems
        from unnest(${all.slice(at, at + WORDS_PER_STATEMENT)}::text[]) word`);
      for (const row of rows) stems.set(`${config} ${row.word}`, row.stems ?? [row.word]);
    }
  }
  return (text, language) => {
    const config = textConfigOf(language ?? null);
    return wordsIn(text).flatMap((word) => stems.get(`${config} ${word}`) ?? []);
  };
}

function wordsIn(text: string): string[] {
  return [...text.normalize("NFKC").toLowerCase().matchAll(WORD)].map(([word]) => word);
}
