import { z } from "zod";
import { readJson } from "../../../platform/http/read-json.ts";
import { sortByScore, type Reranked } from "./reranker.ts";

interface Deps {
  fetch: typeof globalThis.fetch;
  /** RERANKER_SERVICE_URL. */
  url: string | undefined;
  model: string | undefined;
  apiKey: string | undefined;
}

const TIMEOUT_MS = 30_000;
/** Servers may return each document. */
const MAX_ANSWER = { maxBytes: 4 * 1024 * 1024 };
const ATTEMPTS = 2;

const FAILED = "The reranker failed, so the results are not reranked";
const NOT_CONFIGURED = {
  code: "reranker_missing",
  message:
    "No reranker is configured, so the results are not reranked. Set RERANKER_SERVICE_URL.",
};

const Judged = z.object({
  index: z.number().int(),
  score: z.number().optional(),
  relevance_score: z.number().optional(),
});
/** The response formats of vLLM, Jina, Cohere and Text Embeddings Inference. */
const Answer = z.union([
  z.array(Judged),
  z.object({ results: z.array(Judged) }).transform(({ results }) => results),
  z.object({ data: z.array(Judged) }).transform(({ data }) => data),
]);

/**
 * Scores passages with a cross-encoder at `POST /v1/rerank`, the API of vLLM and Jina, or at `POST
 * /rerank`, that of Text Embeddings Inference, where the server has no other.
 */
export function crossEncoder({ fetch, url, model, apiKey }: Deps) {
  let isTextEmbeddingsInference = false;
  return async (
    query: string,
    documents: readonly string[],
    signal: AbortSignal,
  ): Promise<Reranked> => {
    if (!url) return { failure: NOT_CONFIGURED };
    const headers = {
      "content-type": "application/json",
      ...(apiKey && { authorization: `Bearer ${apiKey}` }),
    };
    const bodies = {
      "/v1/rerank": { ...(model && { model }), query, documents, top_n: documents.length },
      "/rerank": { query, texts: documents, truncate: true },
    };
    const post = (path: keyof typeof bodies) =>
      fetch(url.replace(/(?<!\/)\/+$/, "") + path, {
        method: "POST",
        headers,
        body: JSON.stringify(bodies[path]),
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
    let failure = "";
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      try {
        let response = await post(isTextEmbeddingsInference ? "/rerank" : "/v1/rerank");
        if (response.status === 404 && !isTextEmbeddingsInference) {
          await response.body?.cancel();
          response = await post("/rerank");
          isTextEmbeddingsInference = response.ok;
        }
        if (response.ok) {
          const judged = Answer.parse(await readJson(response, MAX_ANSWER));
          return { scores: sortByScore(toScores(judged), documents.length) };
        }
        await response.body?.cancel();
        failure = `it returned status ${response.status}`;
        // other client errors are permanent: do not retry
        if (response.status < 500 && response.status !== 429 && response.status !== 424)
          break;
      } catch (error) {
        signal.throwIfAborted();
        failure =
          error instanceof Error && error.name === "TimeoutError"
            ? "it did not answer in time"
            : "it is unreachable or its response is invalid";
      }
    }
    return { failure: { code: "reranker_failed", message: `${FAILED}: ${failure}.` } };
  };
}

/** Converts logits to probabilities; scores between 0 and 1 are probabilities already. */
function toScores(
  judged: readonly z.output<typeof Judged>[],
): { index: number; score: number }[] {
  const scores = judged.map(({ index, relevance_score: relevance, score }) => ({
    index,
    score: relevance ?? score ?? Number.NaN,
  }));
  const areLogits = scores.some(({ score }) => score < 0 || score > 1);
  return areLogits
    ? scores.map(({ index, score }) => ({ index, score: 1 / (1 + Math.exp(-score)) }))
    : scores;
}
