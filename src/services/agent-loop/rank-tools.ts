import type { ListedTool } from "../tool-gateway/contract.ts";

/** BM25, as it is usually set. */
const K1 = 1.2;
const B = 0.75;
/** A word of the name says more than one of the description. */
const NAME_TIMES = 3;
/** Of a description; a long one describes more than what the tool does. */
const MAX_CHARACTERS = 2_000;

type Described = Pick<ListedTool, "name" | "title" | "description" | "server">;

/**
 * Ranks tools by the words of their names and descriptions (BM25).
 * @returns a search: the tools that have a word of the query, best first; equal ones stay in order.
 */
export function rankTools<Tool extends Described>(
  tools: readonly Tool[],
): (query: string, limit: number) => Tool[] {
  const texts = tools.map(countWords);
  const lengths = texts.map((counts) => sum(counts.values()));
  const average = Math.max(1, sum(lengths) / Math.max(1, tools.length));
  const having = new Map<string, number>();
  for (const counts of texts)
    for (const word of counts.keys()) having.set(word, (having.get(word) ?? 0) + 1);
  const scoreOf = (at: number, words: ReadonlySet<string>) =>
    sum(
      [...words].map((word) => {
        const count = texts[at]?.get(word) ?? 0;
        const rare = having.get(word) ?? 0;
        const weight = Math.log(1 + (tools.length - rare + 0.5) / (rare + 0.5));
        const length = (lengths[at] ?? 0) / average;
        return (weight * count * (K1 + 1)) / (count + K1 * (1 - B + B * length));
      }),
    );
  return (query, limit) => {
    const words = new Set(wordsOf(query));
    return tools
      .map((tool, at) => ({ tool, score: scoreOf(at, words) }))
      .filter(({ score }) => score > 0)
      .toSorted((one, other) => other.score - one.score)
      .slice(0, limit)
      .map(({ tool }) => tool);
  };
}

function countWords({ name, title = "", description, server }: Described) {
  const named = wordsOf(`${name} ${title}`);
  const described = wordsOf(`${server} ${description.slice(0, MAX_CHARACTERS)}`);
  const counts = new Map<string, number>();
  for (const word of named) counts.set(word, (counts.get(word) ?? 0) + NAME_TIMES);
  for (const word of described) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** `createPull_requests` → create, pull, request. */
function wordsOf(text: string): string[] {
  return text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => (word.length > 3 ? word.replace(/s$/, "") : word));
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
