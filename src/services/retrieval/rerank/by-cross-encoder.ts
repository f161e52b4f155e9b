import { z } from "zod";
import { readJson } from "../../../platform/http/read-json.ts";
import { serverWords } from "../../../platform/http/server-words.ts";
import { type Reranked, rerankedBy } from "./reranker.ts";

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

/** One entry. What cannot be read costs the entry alone. */
const Judged = z.unknown().transform((entry) => {
  const fields = (typeof entry === "object" && entry !== null ? entry : {}) as Record<
    string,
    unknown
  >; // an object, or none
  return {
    index: numberIn(fields["index"]),
    score: numberIn(fields["relevance_score"] ?? fields["score"] ?? fields["similarity"]),
  };
});

/** A finite number; text is none, because nobody knows what its server means by it. */
function numberIn(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : Number.NaN;
}

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
  /** The most passages that the server takes at once, as its refusals showed. */
  let mostAtOnce = Infinity;
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
    const ask = (texts: readonly string[]) =>
      askServer(
        { query, texts, headers },
        AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      );
    let failure = "";
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      try {
        const judged: Judgement[] = [];
        for (let at = 0; at < documents.length;) {
          const size = Math.min(mostAtOnce, documents.length - at);
          const answer = await ask(documents.slice(at, at + size));
          if ("judged" in answer) {
            judged.push(...answer.judged.map((one) => ({ ...one, index: one.index + at })));
            at += size;
            continue;
          }
          if (size > 1 && isTooMany(answer)) {
            // servers have limits of their own, which only their refusal tells
            mostAtOnce = Math.ceil(size / 2);
            continue;
          }
          throw new Refused(answer.status, answer.words);
        }
        return rerankedBy(toScores(judged), documents.length);
      } catch (error) {
        signal.throwIfAborted();
        failure = reasonOf(error);
        // other client errors are permanent: do not retry
        if (error instanceof Refused && !error.isTemporary) break;
      }
    }
    return { failure: { code: "reranker_failed", message: `${FAILED}: ${failure}.` } };
  };

  async function askServer(
    {
      query,
      texts,
      headers,
    }: { query: string; texts: readonly string[]; headers: Record<string, string> },
    signal: AbortSignal,
  ): Promise<{ judged: Judgement[] } | { status: number; words: string }> {
    const bodies = {
      "/v1/rerank": {
        ...(model && { model }),
        query,
        documents: texts,
        top_n: texts.length,
      },
      "/rerank": { query, texts, truncate: true },
    };
    const post = (path: keyof typeof bodies) =>
      fetch((url ?? "").replace(/(?<!\/)\/+$/, "") + path, {
        method: "POST",
        headers,
        body: JSON.stringify(bodies[path]),
        signal,
      });
    let response = await post(isTextEmbeddingsInference ? "/rerank" : "/v1/rerank");
    if (response.status === 404 && !isTextEmbeddingsInference) {
      await response.body?.cancel();
      response = await post("/rerank");
      isTextEmbeddingsInference = response.ok;
    }
    const { status } = response;
    if (response.ok) {
      const judged = Answer.parse(await readJson(response, MAX_ANSWER));
      // an index beyond these texts would count for one of the next
      return { judged: judged.filter(({ index }) => index >= 0 && index < texts.length) };
    }
    // the words of a refused credential may repeat a part of it
    if (status === 401 || status === 403) {
      await response.body?.cancel();
      return { status, words: "" };
    }
    return { status, words: await serverWords(response) };
  }
}

interface Judgement {
  index: number;
  score: number;
}

class Refused extends Error {
  readonly isTemporary: boolean;
  constructor(status: number, words: string) {
    super(`it returned status ${status}${words === "" ? "" : ` and said: ${words}`}`);
    this.isTemporary = status >= 500 || status === 429 || status === 424;
  }
}

/** Whether a server refuses so many passages at once. */
function isTooMany({ status, words }: { status: number; words: string }): boolean {
  if (status === 413) return true;
  return (
    (status === 400 || status === 422) &&
    /batch|too many|maximum|at most|limit|exceed|more than/i.test(words)
  );
}

function reasonOf(error: unknown): string {
  if (error instanceof Refused) return error.message;
  return error instanceof Error && error.name === "TimeoutError"
    ? "it did not answer in time"
    : "it is unreachable or its response is invalid";
}

/** Converts logits to probabilities; scores between 0 and 1 are probabilities already. */
function toScores(judged: readonly Judgement[]): Judgement[] {
  const areLogits = judged.some(({ score }) => score < 0 || score > 1);
  return areLogits
    ? judged.map(({ index, score }) => ({ index, score: 1 / (1 + Math.exp(-score)) }))
    : [...judged];
}
