import { z } from "zod";

/** The protocol of a server that embeds texts. */
interface Protocol {
  path: string;
  body(asked: EmbeddingRequest): object;
  read(answer: unknown): number[][];
}

export interface EmbeddingRequest {
  model: string;
  /** Absent: the model's own number. */
  dimensions: number | undefined;
  texts: readonly string[];
}

const Vectors = z.array(z.array(z.number()).min(1));
const OpenAiAnswer = z.object({
  data: z.array(z.object({ index: z.number().int(), embedding: z.array(z.number()) })),
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
      OpenAiAnswer.parse(answer)
        .data.sort((one, other) => one.index - other.index)
        .map(({ embedding }) => embedding),
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
  },
} satisfies Record<string, Protocol>;

export type EmbeddingProtocol = keyof typeof PROTOCOLS;

/** Whether a model accepts a number of dimensions. Others refuse the field. */
export function canShorten(model: string): boolean {
  return /text-embedding-3|qwen3-embedding|gemini-embedding/i.test(model);
}
