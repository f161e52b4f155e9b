import { setTimeout as sleep } from "node:timers/promises";
import { backoff } from "../../../platform/backoff.ts";
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
import { KeyTurns } from "../../../platform/in-turn/key-turns.ts";
import type { Rests } from "../../../platform/in-turn/rests.ts";
import { meaningOf } from "./failure-meanings.ts";
import { BatchRefused, failureOf } from "./http-failure.ts";
import {
  type EmbeddingModel,
  type InputType,
  normalised,
  TextRefused,
} from "./embedding-model.ts";
import { type EmbeddingProtocol, type Protocol, PROTOCOLS } from "./protocols.ts";
import { type RecordUse, startUse } from "./record-use.ts";

export interface ProviderOptions {
  /** The provider's name in reports. */
  provider: string;
  /** The provider in the catalogue; absent for a server of the environment. */
  catalogueName?: string;
  protocol: EmbeddingProtocol;
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Where several keys of the provider take turns: the address by each. */
  keys?: KeysInTurn;
  model: string;
  /** Absent: the model's own number. */
  dimensions: number | undefined;
  maxBatchSize: number;
  timeoutMs: number;
  /** Some models expect the kind of a text before it, such as `query: `. */
  prefixes: Record<InputType, string>;
  outgoing: Pick<Outgoing, "fetch">;
  observe?: ObserveCall;
  record?: RecordUse;
}

interface KeysInTurn {
  endpoints: readonly Pick<ProviderOptions, "url" | "headers">[];
  rests: Rests;
}

/** Called at the end of each call to a model's server, with its error or `undefined`. */
export type ObserveCall = (
  error: unknown,
  server: Pick<ProviderOptions, "provider" | "catalogueName">,
) => void;

/** How often, and how long, a batch is asked for. */
export interface Patience {
  tries?: number;
  timeoutMs: number;
}

const TRIES = 4;
const MAX_WAIT_MS = 60_000;
const FIRST_WAIT_MS = 500;
/** The maximum size of a request: OpenAI accepts 300,000 tokens, TEI two megabytes. */
const MAX_CHARACTERS = 400_000;

/** The maximum size of an answer, a batch of vectors. */
const MAX_ANSWER = { maxBytes: 32 * 1024 * 1024, maxValues: 600_000 };

/**
 * A model behind an HTTP API: OpenAI's, that of Text Embeddings Inference, or Ollama's. Calls have
 * a time limit and respect `Retry-After`.
 */
export function modelOverHttp(
  options: ProviderOptions & { dimensions: number },
): EmbeddingModel {
  return {
    name: options.model,
    provider: options.provider,
    dimensions: options.dimensions,
    maxBatchSize: options.maxBatchSize,
    local: false,
    server: options.url,
    embed: embedOverHttp(options),
  };
}

/**
 * The same for a model whose dimensions may still be unknown. `patience`: of each request, read
 * when it begins.
 */
export function embedOverHttp(
  options: ProviderOptions,
  patience: () => Patience = () => ({ timeoutMs: options.timeoutMs }),
): EmbeddingModel["embed"] {
  // what the server's refusals teach
  let most = options.maxBatchSize;
  const ask = async (
    texts: readonly string[],
    signal: AbortSignal,
    payer: string | undefined,
  ): Promise<number[][]> => {
    try {
      return await askPatiently({ ...options, payer }, texts, signal, patience());
    } catch (error) {
      // the batch is too large for this server, whatever limits it reports
      if (!(error instanceof TextRefused) || texts.length < 2) throw error;
      const vectors: number[][] = [];
      for (const part of partsOf(texts, error))
        vectors.push(...(await ask(part, signal, payer)));
      // later requests have no more texts than the server takes
      if (error instanceof BatchRefused)
        most = Math.min(most, error.limit ?? texts.length >> 1);
      return vectors;
    }
  };
  return async (texts, inputType, signal, payer) => {
    const vectors: number[][] = [];
    for (const group of groupsOf(
      texts.map((text) => options.prefixes[inputType] + text),
      most,
    ))
      vectors.push(...(await ask(group, signal, payer)).map(normalised));
    return vectors;
  };
}

/** Divides what was refused: by the number that the server named, or else into halves. */
function partsOf(texts: readonly string[], refusal: TextRefused): readonly string[][] {
  const named = refusal instanceof BatchRefused ? refusal.limit : undefined;
  if (named !== undefined && named < texts.length) return groupsOf(texts, named);
  const half = texts.length >> 1;
  return [texts.slice(0, half), texts.slice(half)];
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

/** A request, and whom it counts for. */
interface Asking extends ProviderOptions {
  payer: string | undefined;
}

async function askPatiently(
  options: Asking,
  texts: readonly string[],
  signal: AbortSignal,
  { tries = TRIES, timeoutMs }: Patience,
): Promise<number[][]> {
  const until = performance.now() + timeoutMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await askByKeys(options, texts, signal, until);
    } catch (error) {
      const wait = waitBefore(error, attempt);
      if (wait === undefined || attempt >= tries || performance.now() + wait >= until)
        throw error;
      await sleep(wait, undefined, { signal });
    }
  }
}

/** Asks by one of the keys, and by the next at once where that one is refused or at its limit. */
async function askByKeys(
  options: Asking,
  texts: readonly string[],
  signal: AbortSignal,
  until: number,
): Promise<number[][]> {
  const { keys, provider, catalogueName = provider } = options;
  const turns = keys && new KeyTurns(keys.rests, catalogueName, keys.endpoints.length);
  for (;;)
    try {
      const byKey = turns && keys.endpoints[turns.next()];
      const asked = { ...options, ...byKey };
      const vectors = await askOnce(asked, texts, signal, until - performance.now());
      options.observe?.(undefined, options);
      turns?.answered();
      return vectors;
    } catch (error) {
      if (!signal.aborted) options.observe?.(error, options);
      const isOfKey = error instanceof ApiError && meaningOf(error).isOfKey === true;
      if (!isOfKey || !turns?.failed(error)) throw error;
    }
}

/** How long to wait before the next attempt; `undefined` if it would fail in the same way. */
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
  return Math.min(MAX_WAIT_MS, Math.max(asked, backoff(attempt, FIRST_WAIT_MS)));
}

async function askOnce(
  options: Asking,
  texts: readonly string[],
  signal: AbortSignal,
  leftMs: number,
): Promise<number[][]> {
  const { protocol, url, headers, model, dimensions, outgoing } = options;
  const { body, read, tokens }: Protocol = PROTOCOLS[protocol];
  const late = AbortSignal.timeout(Math.max(1, Math.round(leftMs)));
  const use = startUse(options, texts);
  let answer: unknown;
  try {
    const response = await outgoing.fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...traceHeaders(),
        ...headers,
      },
      body: JSON.stringify(body({ model, dimensions, texts })),
      signal: AbortSignal.any([signal, late]),
      redirect: "manual",
    });
    if (!response.ok) throw await failureOf(response);
    answer = await readJson(response, MAX_ANSWER);
    use("stop", tokens?.(answer));
  } catch (error) {
    // who reads until nobody waits any more charges for it
    if (signal.aborted) use("cancelled");
    signal.throwIfAborted();
    if (late.aborted)
      throw new GatewayTimeout(
        "embedding_timeout",
        "The embedding model did not answer in time. Try again later.",
      );
    if (error instanceof ApiError) throw error;
    throw new Unavailable(
      "embedding_unreachable",
      "The embedding model cannot be reached. Check the address of its provider (EMBEDDING_BASE_URL), and whether the server runs.",
      2_000,
      { cause: error },
    );
  }
  return checked(read, answer, texts.length, dimensions);
}

function checked(
  read: (answer: unknown) => number[][],
  answer: unknown,
  expected: number,
  dimensions: number | undefined,
): number[][] {
  let vectors: number[][];
  try {
    vectors = read(answer);
  } catch (error) {
    throw new BadGateway(
      "embedding_invalid",
      "The embedding model answered in an unknown form. Check EMBEDDING_PROVIDER and EMBEDDING_BASE_URL.",
      {
        cause: error,
      },
    );
  }
  if (vectors.length !== expected)
    throw new BadGateway(
      "embedding_invalid",
      `The embedding model answered ${vectors.length} vectors for ${expected} texts. ` +
        "Check EMBEDDING_PROVIDER and EMBEDDING_BASE_URL.",
    );
  if (vectors.some((vector) => vector.some((value) => !Number.isFinite(value))))
    throw new BadGateway(
      "embedding_invalid",
      "The embedding model answered vectors with what is no number. Its server may compute with " +
        "too low a precision. Check its settings, or choose another model.",
    );
  const wanted = dimensions ?? vectors[0]?.length;
  const wrong = vectors.find((vector) => vector.length !== wanted);
  if (wrong)
    throw new BadGateway(
      "embedding_dimensions_wrong",
      `The embedding model makes vectors of ${wrong.length} numbers, not of ${wanted}. Set its dimensions (EMBEDDING_DIMENSIONS) to ${wrong.length}.`,
    );
  return vectors;
}
