import { hashWords } from "./hashed-words.ts";

/** The local model in a worker process: vectors of texts, in order. */
export default function hashTask(input: {
  texts: readonly string[];
  dimensions: number;
}): number[][] {
  return input.texts.map((text) => hashWords(text, input.dimensions));
}
