import { z } from "zod";
import { ApiError, BadGateway, GatewayTimeout, Unavailable } from "../../../platform/http/errors.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";
import type { Reranker } from "./reranker.ts";

interface Options {
  /** RERANKER_SERVICE_URL. */
  url: string | undefined;
  apiKey: string | undefined;
  model: string | undefined;
  /** Of one attempt. */
  timeoutMs: number;
  attempts: number;
  outgoing: Pick<Outgoing, "fetch">;
}

/** What vLLM, Jina, Cohere and Text Embeddings Inference answer, one as `results` or `data`, one as a bare list. */
const Scored = z
  .object({ index: z.number().int(), relevance_score: z.number().optional(), score: z.number().optional() })
  .transform(({ index, relevance_score: relevance, score }) => ({ index, score: relevance ?? score ?? 0 }));
const Answer = z.union([
  z.array(Scored),
  z.object({ results: z.array(Scored) }).transform(({ results }) => results),
  z.object({ data: z.array(Scored) }).transform(({ data }) => data),
]);

/** A cross-encoder behind `POST /v1/rerank`. Source: requirements 2 "Advanced engine", step 3, and "Limits". */
export function bgeReranker(options: Options): Reranker {
  return {
    async score(query, texts, signal) {
      if (!options.url) throw new Unavailable("reranker_missing", "No reranker is configured. Set RERANKER_SERVICE_URL.");
      for (let attempt = 1; ; attempt += 1) {
        try {
          return between0And1(await askOnce(options, query, texts, signal));
        } catch (error) {
          signal.throwIfAborted();
          if (attempt >= options.attempts || error instanceof BadGateway) throw error;
        }
      }
    },
  };
}

async function askOnce(
  { url, apiKey, model, timeoutMs, outgoing }: Options,
  query: string,
  texts: readonly string[],
  signal: AbortSignal,
) {
  const late = AbortSignal.timeout(timeoutMs);
  try {
    const response = await outgoing.fetch(`${url}/v1/rerank`, {
      method: "POST",
      headers: { "content-type": "application/json", ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
      body: JSON.stringify({ ...(model && { model }), query, documents: texts, top_n: texts.length }),
      signal: AbortSignal.any([signal, late]),
      redirect: "manual",
    });
    if (!response.ok) {
      await response.body?.cancel();
      const passes = response.status >= 500 || response.status === 429 || response.status === 408;
      const sentence = `The reranker answered ${response.status}.`;
      throw passes
        ? new Unavailable("reranker_failed", sentence)
        : new BadGateway("reranker_refused", `${sentence} Check its model and address.`);
    }
    const answer = Answer.safeParse(await response.json());
    if (!answer.success) throw new BadGateway("reranker_invalid", "The reranker answered in a form that is not known.");
    const seen = new Set<number>();
    return answer.data.filter(({ index }) => index >= 0 && index < texts.length && !seen.has(index) && seen.add(index));
  } catch (error) {
    if (late.aborted) throw new GatewayTimeout("reranker_timeout", `The reranker did not answer within ${timeoutMs / 1000} s.`);
    if (error instanceof ApiError) throw error;
    throw new Unavailable(
      "reranker_unreachable",
      "The reranker cannot be reached. Check RERANKER_SERVICE_URL and OUTGOING_ALLOW.",
      5_000,
      {
        cause: error,
      },
    );
  }
}

/** Some servers answer what the model says before it is brought between 0 and 1. */
function between0And1(scored: { index: number; score: number }[]): { index: number; score: number }[] {
  const raw = scored.some(({ score }) => score < 0 || score > 1);
  return scored
    .map(({ index, score }) => ({ index, score: raw ? 1 / (1 + Math.exp(-score)) : score }))
    .sort((one, other) => other.score - one.score);
}
