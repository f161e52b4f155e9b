import { type Dispatcher, errors, request as undiciRequest } from "undici";
import { traceHeaders } from "../../../platform/http/context.ts";
import { Deadline } from "../../../platform/http/deadline.ts";
import { ApiError } from "../../../platform/http/errors.ts";
import { providerKinds } from "../contract-catalogue.ts";
import {
  cutFailure,
  type Provider,
  type ProviderAsk,
  ProviderFailure,
  statusFailure,
  timeoutFailure,
  unreachableFailure,
} from "../provider.ts";
import { withImages } from "../images.ts";
import { OpenAiReader } from "./read-stream.ts";
import { type Dialect, openAiBody } from "./request-body.ts";

/**
 * Of an answer that is an error no more is read, in bytes and ms: enough to keep the connection
 * where it ends by itself.
 */
const MAX_ERROR_CHARACTERS = 64 * 1024;
const MAX_ERROR_MS = 1_000;

interface Target {
  url: string;
  headers: Record<string, string>;
  dialect: Dialect;
}

/** OpenAI and the many that speak its protocol. By hand, since most tokens take this way. */
export function openAiProvider(targetOf: (ask: ProviderAsk) => Target): Provider {
  return async function* (ask) {
    const { signal, timeoutMs } = ask;
    const response = await connect(targetOf(ask), ask);
    const reader = new OpenAiReader();
    const decoder = new TextDecoder();
    const idle = new Deadline(undefined, timeoutMs);
    idle.signal.addEventListener("abort", () => response.body.destroy(), { once: true });
    try {
      let chunks = 0;
      for await (const chunk of response.body) {
        // without an encoding set, undici's body gives Buffers
        const events = reader.push(decoder.decode(chunk as Buffer, { stream: true }));
        if (reader.chunks > chunks) {
          chunks = reader.chunks;
          // a reader who takes his time is not the provider's silence
          idle.pause();
          if (events.length > 0) yield events;
          idle.restart();
        }
        if (reader.failure !== undefined) throw reader.failure;
      }
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ProviderFailure) throw error;
      throw idle.late ? timeoutFailure(timeoutMs) : cutFailure(error);
    } finally {
      idle.stop();
    }
    const last = reader.end();
    if (last.length > 0) yield last;
    if (reader.failure !== undefined) throw reader.failure;
  };
}

async function connect(
  { url, headers, dialect }: Target,
  { request, model, outgoing, timeoutMs, signal }: ProviderAsk,
): Promise<Dispatcher.ResponseData> {
  outgoing.check(url);
  let response: Dispatcher.ResponseData;
  try {
    response = await undiciRequest(url, {
      method: "POST",
      dispatcher: outgoing.dispatcher,
      headers: {
        "content-type": "application/json",
        accept: "text/event-stream",
        ...traceHeaders(),
        ...headers,
      },
      body: JSON.stringify(openAiBody(request, model, dialect)),
      headersTimeout: timeoutMs,
      // what counts is what the bytes say
      bodyTimeout: 0,
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ApiError) throw error;
    throw error instanceof errors.HeadersTimeoutError || error instanceof errors.ConnectTimeoutError
      ? timeoutFailure(timeoutMs)
      : unreachableFailure(error);
  }
  if (response.statusCode === 200) return response;
  // not waited for: the status says it all, and an error may take as long as it likes
  response.body
    .dump({ limit: MAX_ERROR_CHARACTERS, signal: AbortSignal.timeout(MAX_ERROR_MS) })
    .catch(() => {});
  const retryAfter = response.headers["retry-after"];
  throw statusFailure(response.statusCode, typeof retryAfter === "string" ? retryAfter : undefined);
}

const bearer = (apiKey: string | undefined): Record<string, string> =>
  apiKey ? { authorization: `Bearer ${apiKey}` } : {};
const trimmed = (url: string) => url.replace(/\/+$/, "");

export const openai = openAiProvider(({ config }) => {
  const { apiKey, baseUrl = "https://api.openai.com/v1" } =
    providerKinds.openai.config.parse(config);
  return {
    url: `${trimmed(baseUrl)}/chat/completions`,
    headers: bearer(apiKey),
    dialect: "openai",
  };
});

export const openAiCompatible = openAiProvider(({ config }) => {
  const { apiKey, baseUrl } = providerKinds["openai-compatible"].config.parse(config);
  return {
    url: `${trimmed(baseUrl)}/chat/completions`,
    headers: bearer(apiKey),
    dialect: "compatible",
  };
});

/** Source: Azure OpenAI REST reference, chat completions. The model is the deployment's name. */
export const azure = openAiProvider(({ config, model }) => {
  const { apiKey, endpoint, apiVersion } = providerKinds.azure.config.parse(config);
  return {
    url: `${trimmed(endpoint)}/openai/deployments/${encodeURIComponent(model)}/chat/completions?api-version=${encodeURIComponent(apiVersion)}`,
    headers: { "api-key": apiKey },
    dialect: "openai",
  };
});

/** Source: Ollama documentation, OpenAI compatibility: images only as bytes. */
export const ollama = withImages(
  openAiProvider(({ config }) => {
    const { baseUrl = "http://127.0.0.1:11434" } = providerKinds.ollama.config.parse(config);
    return { url: `${trimmed(baseUrl)}/v1/chat/completions`, headers: {}, dialect: "compatible" };
  }),
);
