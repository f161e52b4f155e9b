/** Text that a model expects before each text that it embeds. */
export interface Prefixes {
  query: string;
  passage: string;
}

const NONE: Prefixes = { query: "", passage: "" };
const SEARCH = "Represent this sentence for searching relevant passages: ";
const INSTRUCTION =
  "Instruct: Given a web search query, retrieve relevant passages that answer the query\n";

/**
 * By a part of the model's name; the first match counts. Source: the card of each model at Hugging
 * Face.
 */
const USUAL: readonly (readonly [RegExp, Prefixes])[] = [
  [/e5-.*instruct|e5-mistral/, { query: `${INSTRUCTION}Query: `, passage: "" }],
  [/(^|[/-])e5-(small|base|large)/, { query: "query: ", passage: "passage: " }],
  [/nomic-embed/, { query: "search_query: ", passage: "search_document: " }],
  [/arctic-embed.*v2|arctic-embed2/, { query: "query: ", passage: "" }],
  [/mxbai-embed|arctic-embed/, { query: SEARCH, passage: "" }],
  [/bge-(small|base|large)-en/, { query: SEARCH, passage: "" }],
  [
    /embedding-?gemma/,
    { query: "task: search result | query: ", passage: "title: none | text: " },
  ],
  [/qwen3-embedding/, { query: `${INSTRUCTION}Query:`, passage: "" }],
];

/** The prefixes that a model was trained with, if its name is known. */
export function usualPrefixes(model: string): Prefixes {
  const name = model.toLowerCase();
  return USUAL.find(([pattern]) => pattern.test(name))?.[1] ?? NONE;
}
