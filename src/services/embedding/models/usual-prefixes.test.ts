import { expect, test } from "vitest";
import { usualPrefixes } from "./usual-prefixes.ts";

test.each([
  ["intfloat/multilingual-e5-large", "query: ", "passage: "],
  ["e5-small-v2", "query: ", "passage: "],
  ["nomic-embed-text:v1.5", "search_query: ", "search_document: "],
  ["snowflake-arctic-embed2", "query: ", ""],
  ["google/EmbeddingGemma-300m", "task: search result | query: ", "title: none | text: "],
  ["text-embedding-3-small", "", ""],
  ["bge-m3", "", ""],
  ["mistral-embed", "", ""],
])("%s wants %j before a question and %j before a passage", (model, query, passage) => {
  expect(usualPrefixes(model)).toEqual({ query, passage });
});

test.each([
  "mxbai-embed-large",
  "BAAI/bge-base-en-v1.5",
  "snowflake-arctic-embed:335m",
  "intfloat/multilingual-e5-large-instruct",
  "Qwen/Qwen3-Embedding-0.6B",
])("%s wants an instruction before questions only", (model) => {
  const { query, passage } = usualPrefixes(model);
  expect(query).toMatch(/^(Represent this sentence|Instruct: )/);
  expect(passage).toBe("");
});
