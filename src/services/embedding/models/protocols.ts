import { z } from "zod";
import { isRecord } from "../../../platform/json/is-record.ts";

/** The protocol of a server that embeds texts. */
export interface Protocol {
  path: string;
  body(asked: EmbeddingRequest): object;
  read(answer: unknown): number[][];
  /** The tokens that an answer says it read, by any name. */
  tokens?: (answer: unknown) => unknown;
}

export interface EmbeddingRequest {
  model: string;
  /** Absent: the model's own number. */
  dimensions: number | undefined;
  texts: readonly string[];
}

const Vectors = z.array(z.array(z.number()).min(1));
/** Some servers answer in base64, whatever form was asked for: 32-bit numbers, little-endian. */
const OpenAiVector = z.union([z.array(z.number()), z.base64().transform(fromBase64)]);
const OpenAiAnswer = z.object({
  data: z.array(z.object({ index: z.int().nullish(), embedding: OpenAiVector })),
});

export const PROTOCOLS = {
  openai: {
    path: "/embeddings",
    body: ({ model, dimensions, texts }) => ({
      model,
      input: texts,
      encoding_format: "float",
      ...(dimensions !== undefined && canShorten(model) && { dimensions }),
    }),
    read: (answer) =>
      inOrder(OpenAiAnswer.parse(answer).data).map(({ embedding }) => embedding),
    tokens: (answer) => {
      const usage = isRecord(answer) ? answer["usage"] : undefined;
      if (!isRecord(usage)) return undefined;
      return usage["prompt_tokens"] ?? usage["total_tokens"];
    },
  },
  tei: {
    path: "/embed",
    body: ({ texts }) => ({ inputs: texts, normalize: true, truncate: true }),
    read: (answer) => Vectors.parse(answer),
  },
  ollama: {
    path: "/api/embed",
    body: ({ model, texts }) => ({ model, input: texts, truncate: true }),
    read: (answer) => z.object({ embeddings: Vectors }).parse(answer).embeddings,
    tokens: (answer) => (isRecord(answer) ? answer["prompt_eval_count"] : undefined),
  },
} satisfies Record<string, Protocol>;

export type EmbeddingProtocol = keyof typeof PROTOCOLS;

/** Whether a model accepts a number of dimensions. Others refuse the field. */
export function canShorten(model: string): boolean {
  return /text-embedding-3|qwen3-embedding|gemini-embedding/i.test(model);
}

/** Some servers name no place of a vector, or 0 for all: those answer in the order of the texts. */
function inOrder<Item extends { index?: number | null | undefined }>(
  items: Item[],
): Item[] {
  const places = new Set(items.map(({ index }) => index ?? 0));
  if (places.size === 1) return items;
  if (places.size < items.length || items.some(({ index }) => typeof index !== "number"))
    throw new TypeError("several vectors have the same place");
  return items.toSorted((one, other) => (one.index ?? 0) - (other.index ?? 0));
}

function fromBase64(text: string): number[] {
  const bytes = Buffer.from(text, "base64");
  return Array.from({ length: bytes.length >> 2 }, (_, at) => bytes.readFloatLE(at * 4));
}
