import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { traceHeaders } from "../../../platform/http/context.ts";
import {
  ApiError,
  BadGateway,
  GatewayTimeout,
  TooManyRequests,
  Unavailable,
} from "../../../platform/http/errors.ts";
import { readJson } from "../../../platform/http/read-json.ts";
import type { Outgoing } from "../../../platform/outgoing/outgoing.ts";
import { failureOf } from "./http-failure.ts";
import {
  type EmbeddingModel,
  type InputType,
  normalised,
  TextRefused,
} from "./embedding-model.ts";

export interface ProviderOptions {
  protocol: "openai" | "tei" | "ollama";
  baseUrl: string;
  apiKey: string | undefined;
  model: string;
  dimensions: number;
  maxBatchSize: number;
  timeoutMs: number;
  /** Some models want the kind of a text before it, as `query: `. */
  prefixes: Record<InputType, string>;
  outgoing: Pick<Outgoing, "fetch">;
  observe?: ObserveCall;
}

/** Sees how each call to the model's server ends: with an error, or `undefined`. */
export type ObserveCall = (error: unknown) => void;

const TRIES = 4;
const MAX_WAIT_MS = 60_000;
const FIRST_WAIT_MS = 500;
/** A request has at most so many characters: OpenAI takes 300,000 tokens, TEI two megabytes. */
const MAX_CHARACTERS = 400_000;

/** A batch of vectors. */
const MAX_ANSWER = { maxBytes: 32 * 1024 * 1024, maxValues: 600_000 };

interface Protocol {
  path: string;
  body(options: ProviderOptions, texts: readonly string[]): object;
  read(answer: unknown): number[][];
}

const Vectors = z.array(z.array(z.number()).min(1));
const PROTOCOLS: Record<ProviderOptions["protocol"], Protocol> = {
  openai: {
    path: "/embeddings",
    body: ({ model, dimensions }, input) => ({
      model,
      input,
      encoding_format: "float",
      ...cutTo(model, dimensions),
    }),
    read: (answer) =>
      z
        .object({
          data: z.array(
            z.object({ index: z.number().int(), embedding: z.array(z.number()) }),
          ),
        })
        .parse(answer)
        .data.sort((one, other) => one.index - other.index)
        .map(({ embedding }) => embedding),
  },
  tei: {
    path: "/embed",
    body: (_, inputs) => ({ inputs, normalize: true, truncate: true }),
    read: (answer) => Vectors.parse(answer),
  },
  ollama: {
    path: "/api/embed",
    body: ({ model }, input) => ({ model, input, truncate: true }),
    read: (answer) => z.object({ embeddings: Vectors }).parse(answer).embeddings,
  },
};

/** Only these can be asked for fewer dimensions; others refuse the field. */
function cutTo(model: string, dimensions: number): object {
  return /text-embedding-3|qwen3-embedding|gemini-embedding/i.test(model)
    ? { dimensions }
    : {};
}

/**
 * A model behind an HTTP interface: OpenAI's, that of Text Embeddings Inference, or Ollama's.
 * Bounded in time; `Retry-After` is kept to.
 */
export function modelOverHttp(options: ProviderOptions): EmbeddingModel {
  const ask = async (
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<number[][]> => {
    try {
      return await askPatiently(options, texts, signal);
    } catch (error) {
      // too many at once for this server, whatever it said of its limits
      if (!(error instanceof TextRefused) || texts.length < 2) throw error;
      const half = texts.length >> 1;
      return [
        ...(await ask(texts.slice(0, half), signal)),
        ...(await ask(texts.slice(half), signal)),
      ];
    }
  };
  return {
    name: options.model,
    provider: options.protocol,
    dimensions: options.dimensions,
    maxBatchSize: options.maxBatchSize,
    local: false,
    async embed(texts, inputType, signal) {
      const vectors: number[][] = [];
      for (const group of groupsOf(
        texts.map((text) => options.prefixes[inputType] + text),
        options.maxBatchSize,
      ))
        vectors.push(...(await ask(group, signal)).map(normalised));
      return vectors;
    },
  };
}

function groupsOf(texts: readonly string[], most: number): string[][] {
  const groups: string[][] = [];
  let characters = Infinity;
  for (const text of texts) {
    const last = groups.at(-1);
    if (last && last.length < most && characters + text.length <= MAX_CHARACTERS)
      last.push(text);
    else {
      groups.push([text]);
      characters = 0;
    }
    characters += text.length;
  }
  return groups;
}

async function askPatiently(
  options: ProviderOptions,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<number[][]> {
  const until = Date.now() + options.timeoutMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const vectors = await askOnce(options, texts, signal, until - Date.now());
      options.observe?.(undefined);
      return vectors;
    } catch (error) {
      if (!signal.aborted) options.observe?.(error);
      const wait = waitBefore(error, attempt);
      if (wait === undefined || attempt >= TRIES || Date.now() + wait >= until) throw error;
      await sleep(wait, undefined, { signal });
    }
  }
}

/** How long to wait before the next try; `undefined` where another one would end alike. */
function waitBefore(error: unknown, attempt: number): number | undefined {
  if (
    !(
      error instanceof TooManyRequests ||
      error instanceof Unavailable ||
      error instanceof GatewayTimeout
    )
  )
    return undefined;
  const asked = Number(error.headers["retry-after"] ?? 0) * 1_000;
  return Math.min(
    MAX_WAIT_MS,
    Math.max(asked, FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random())),
  );
}

async function askOnce(
  options: ProviderOptions,
  texts: readonly string[],
  signal: AbortSignal,
  leftMs: number,
): Promise<number[][]> {
  const { protocol, baseUrl, apiKey, dimensions, outgoing } = options;
  const { path, body, read } = PROTOCOLS[protocol];
  const late = AbortSignal.timeout(Math.max(1, leftMs));
  let answer: unknown;
  try {
    const response = await outgoing.fetch(baseUrl + path, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...traceHeaders(),
        ...(apiKey && { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(body(options, texts)),
      signal: AbortSignal.any([signal, late]),
      redirect: "manual",
    });
    if (!response.ok) throw await failureOf(response);
    answer = await readJson(response, MAX_ANSWER);
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted)
      throw new GatewayTimeout(
        "embedding_timeout",
        "The embedding model did not answer in time. Try again later.",
      );
    if (error instanceof ApiError) throw error;
    throw new Unavailable(
      "embedding_unreachable",
      "The embedding model cannot be reached. Check EMBEDDING_BASE_URL, and whether the server runs.",
      2_000,
      { cause: error },
    );
  }
  return checked(read, answer, texts.length, dimensions);
}

function checked(
  read: Protocol["read"],
  answer: unknown,
  expected: number,
  dimensions: number,
): number[][] {
  let vectors: number[][];
  try {
    vectors = read(answer);
  } catch (error) {
    throw new BadGateway(
      "embedding_invalid",
      "The embedding model answered in a form that is not its protocol's.",
      {
        cause: error,
      },
    );
  }
  if (vectors.length !== expected)
    throw new BadGateway(
      "embedding_invalid",
      `The embedding model answered ${vectors.length} vectors for ${expected} texts.`,
    );
  const wrong = vectors.find((vector) => vector.length !== dimensions);
  if (wrong)
    throw new BadGateway(
      "embedding_dimensions_wrong",
      `The embedding model makes vectors of ${wrong.length} numbers, not of ${dimensions}. Set EMBEDDING_DIMENSIONS to ${wrong.length}.`,
    );
  return vectors;
}
