import { hashWords } from "./hashed-words.ts";

/** The local model in a worker process: the numbers of all vectors, in the order of the texts. */
export default function hashTask(input: {
  texts: readonly string[];
  dimensions: number;
}): Float64Array {
  const { texts, dimensions } = input;
  const numbers = new Float64Array(texts.length * dimensions);
  for (const [n, text] of texts.entries())
    numbers.set(hashWords(text, dimensions), n * dimensions);
  return numbers;
}
