import { mapCitations } from "../sources/check-citations.ts";
import type { Source } from "../sources/contract.ts";

/** Why a statement of a report is marked. */
type Doubt = "unread" | "figure" | "quote";

/** What is needed of a passage. */
type Read = Pick<Source, "index" | "fileName" | "content">;

/** A passage, taken apart once. */
interface Words {
  index: number;
  figures: ReadonlySet<string>;
  words: string;
}

export interface CheckedReport {
  text: string;
  /** How many statements are marked. */
  marked: number;
}

/** A longer statement is judged by its end. */
const MAX_STATEMENT_CHARACTERS = 1_000;
/** Small numbers are written as words as often. */
const LEAST_FIGURE = 10;
/** Fewer words are a name, or a word that is only talked about. */
const MIN_QUOTED_WORDS = 3;

/**
 * Checks each statement with a citation against the words that were read, not by a model: the
 * passage must be among them, and must have the figures and the quotations of the statement.
 * Numbers of passages that were not read are removed, and the statement is marked. Runs in a worker
 * process: a long report with many citations takes a while.
 */
export default function checkReport({
  report,
  sources,
  marks,
}: {
  report: string;
  sources: readonly Read[];
  marks: Record<Doubt, string>;
}): CheckedReport {
  const byIndex = new Map(sources.map((source) => [source.index, toWords(source)]));
  let marked = 0;
  const text = mapCitations(report, ({ numbers, before, mark }) => {
    const cited = numbers.flatMap((number) => byIndex.get(number) ?? []);
    const doubt = cited.length === 0 ? "unread" : doubtOf(statementOf(before), cited);
    if (doubt) marked += 1;
    const kept =
      cited.length === numbers.length
        ? mark
        : cited.length > 0
          ? ` [${cited.map(({ index }) => index).join(", ")}]`
          : "";
    return doubt ? `${kept} *(${marks[doubt]})*` : kept;
  });
  return { text, marked };
}

/** The sentence that ends before a citation, without its other citations and a list's number. */
function statementOf(before: string): string {
  const near = before.slice(-MAX_STATEMENT_CHARACTERS).replace(/\[[\d,; –-]{1,40}\]/g, " ");
  const trimmed = near.trimEnd();
  // the sentence may end before its citation
  const inner = trimmed.slice(0, -1);
  let from = inner.lastIndexOf("\n") + 1;
  for (const { index, 0: end } of inner.matchAll(/[.!?…][”"»)]?\s/g))
    from = Math.max(from, index + end.length);
  return trimmed.slice(from).replace(/^\s*(?:(?:\d{1,3}[.)]|[-*+>]|#{1,6})\s+)*/, "");
}

function toWords({ index, fileName, content }: Read): Words {
  const read = `${fileName}\n${content}`;
  const figures = figuresIn(read).flatMap(({ whole, parts }) => [whole, ...parts]);
  return { index, figures: new Set(figures), words: plainWords(read) };
}

function doubtOf(statement: string, cited: readonly Words[]): Doubt | undefined {
  const has = (figure: string) => cited.some(({ figures }) => figures.has(figure));
  const isRead = ({ whole, parts }: Figure) =>
    has(whole) || parts.every((part) => !isTelling(part) || has(part));
  if (!figuresIn(statement).every(isRead)) return "figure";
  const isQuoted = (quote: string) =>
    cited.some(({ words }) => words.includes(plainWords(quote)));
  return quotesIn(statement).every(isQuoted) ? undefined : "quote";
}

/** A number, whose parts may be numbers of their own: "1 250", "2024, 12". */
interface Figure {
  whole: string;
  parts: string[];
}

/** The numbers of a text without the marks between digits, which languages set differently. */
function figuresIn(text: string): Figure[] {
  const found = text.match(/\d[\d.,'’\u00a0\u202f ]*/g) ?? [];
  return found.map((figure) => ({
    whole: figure.replace(/\D/g, ""),
    parts: figure.split(/\D/).filter(Boolean),
  }));
}

function isTelling(figure: string): boolean {
  return Number(figure) >= LEAST_FIGURE;
}

const QUOTES =
  /“([^“”]{1,1000})”|„([^„“”]{1,1000})[“”]|«([^«»]{1,1000})»|"([^"]{1,1000})"/g;

function quotesIn(statement: string): string[] {
  return [...statement.matchAll(QUOTES)]
    .map((match) => match.slice(1).find((one) => one !== undefined) ?? "")
    .filter((quote) => quote.trim().split(/\s+/).length >= MIN_QUOTED_WORDS);
}

/** Letters and digits alone, so that marks of Markdown, of quotations and of ends do not count. */
function plainWords(text: string): string {
  return ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;
}
