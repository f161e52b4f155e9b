import { pipeline, type Readable } from "node:stream";
import { constants, createBrotliDecompress, createUnzip } from "node:zlib";
import { type Dispatcher, errors, request as undiciRequest } from "undici";
import { type Emit, pushed, Reader } from "../../../platform/batches.ts";
import { traceHeaders } from "../../../platform/http/context.ts";
import { Deadline } from "../../../platform/http/deadline.ts";
import { ApiError } from "../../../platform/http/errors.ts";
import type { CompletionEvent } from "../contract.ts";
import { refusalFailure } from "../explain-refusal.ts";
import type { ProviderCall, ProviderClient } from "../provider-client.ts";
import {
  cutFailure,
  ProviderFailure,
  redirectFailure,
  timeoutFailure,
  unreachableFailure,
} from "../provider-failures.ts";
import { eachChunk } from "./each-chunk.ts";
import { OpenAiReader } from "./read-stream.ts";
import { type Dialect, openAiBody } from "./request-body.ts";

/** How much of an error answer is read. */
const MAX_ERROR_BYTES = 64 * 1024;
const MAX_ERROR_MS = 1_000;
const MAX_REDIRECTS = 3;

interface Target {
  url: string;
  headers: Record<string, string>;
  dialect: Dialect;
}

/**
 * The client of OpenAI and of servers that speak its protocol. It is written by hand because most
 * tokens pass through it. See docs/decisions/008-our-own-openai-client.md.
 */
export function openAiClient<Config>(
  toTarget: (config: Config, model: string) => Target,
): ProviderClient<Config> {
  return (call) => pushed((emit) => reply(toTarget(call.config, call.model), call, emit));
}

async function reply<Config>(
  target: Target,
  call: ProviderCall<Config>,
  emit: Emit<CompletionEvent[]>,
): Promise<void> {
  const { signal, timeoutMs } = call;
  const body = await connect(target, call);
  const reader = new OpenAiReader();
  const decoder = new TextDecoder();
  const idle = new Deadline(undefined, timeoutMs);
  idle.signal.addEventListener("abort", () => body.destroy(), { once: true });
  let chunks = 0;
  const taker = new Reader(emit);
  const take = (chunk: Buffer): Promise<void> | void => {
    const events = reader.push(decoder.decode(chunk, { stream: true }));
    const isReply = reader.chunks > chunks;
    chunks = reader.chunks;
    if (isReply) idle.extend();
    const wait = isReply && events.length > 0 ? taker.take(events) : undefined;
    if (wait) return waitApart(idle, wait, reader);
    if (reader.failure !== undefined) throw reader.failure;
  };
  try {
    await eachChunk(body, take);
  } catch (error) {
    signal.throwIfAborted();
    // the provider is not to blame for what the reader does
    if (taker.failure) throw taker.failure.error;
    if (error instanceof ProviderFailure) throw error;
    throw idle.late ? timeoutFailure(timeoutMs) : cutFailure(error);
  } finally {
    idle.stop();
    body.destroy();
  }
  const last = reader.end();
  if (last.length > 0) await emit(last);
  if (reader.failure !== undefined) throw reader.failure;
}

/** Backpressure from a slow client does not count towards the idle timeout. */
async function waitApart(
  idle: Deadline,
  wait: Promise<void>,
  { failure }: OpenAiReader,
): Promise<void> {
  idle.pause();
  await wait;
  idle.restart();
  if (failure !== undefined) throw failure;
}

/** The body of the answer. @throws ApiError. */
async function connect<Config>(
  target: Target,
  call: ProviderCall<Config>,
): Promise<Readable> {
  let { url } = target;
  for (let redirects = 0; ; redirects += 1) {
    const response = await send({ ...target, url }, call);
    const { statusCode: status, headers } = response;
    if (status === 200 || status === 201) return decodedBody(response);
    if (status >= 300 && status < 400) {
      response.body.destroy();
      url = followed(url, headers["location"], redirects);
      continue;
    }
    const words = await readWords(decodedBody(response));
    const retryAfter = headers["retry-after"];
    throw refusalFailure(
      status,
      typeof retryAfter === "string" ? retryAfter : undefined,
      words,
    );
  }
}

/** The address that a redirect within the same host names, such as one to https. */
function followed(from: string, location: unknown, redirects: number): string {
  const to = typeof location === "string" ? URL.parse(location, from) : null;
  const isWithin = to !== null && to.hostname === new URL(from).hostname;
  // the key does not go to another host, nor over an unencrypted connection
  const isSafe = isWithin && (to.protocol === "https:" || from.startsWith("http:"));
  if (!isSafe || redirects >= MAX_REDIRECTS) throw redirectFailure();
  return to.href;
}

/** Some servers and proxies compress what they were asked not to. */
function decodedBody({ body, headers }: Dispatcher.ResponseData): Readable {
  const decoder = decoderOf(headers["content-encoding"]);
  if (!decoder) return body;
  // an error of either destroys both, and ends the reading
  pipeline(body, decoder, () => {});
  return decoder;
}

function decoderOf(encoding: unknown) {
  switch (typeof encoding === "string" ? encoding.trim().toLowerCase() : "") {
    case "gzip":
    case "x-gzip":
    case "deflate":
      return createUnzip({ flush: constants.Z_SYNC_FLUSH });
    case "br":
      return createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH });
    default:
      return undefined;
  }
}

/** The beginning of an error's body, as far as it arrives soon: why the request was refused. */
async function readWords(body: Readable): Promise<string> {
  const late = setTimeout(() => body.destroy(), MAX_ERROR_MS);
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of body) {
      parts.push(part as Buffer); // no encoding is set
      bytes += parts.at(-1)?.length ?? 0;
      if (bytes >= MAX_ERROR_BYTES) break;
    }
  } catch {
    // the status is enough
  } finally {
    clearTimeout(late);
  }
  return Buffer.concat(parts).toString();
}

/** @throws ApiError. */
async function send<Config>(
  { url, headers, dialect }: Target,
  { request, model, endpoints, timeoutMs, signal, onSend }: ProviderCall<Config>,
): Promise<Dispatcher.ResponseData> {
  endpoints.check(url);
  signal.throwIfAborted();
  onSend();
  try {
    return await undiciRequest(url, {
      method: "POST",
      dispatcher: endpoints.dispatcher,
      headers: {
        "content-type": "application/json",
        accept: "text/event-stream",
        "accept-encoding": "identity",
        ...traceHeaders(),
        ...headers,
      },
      body: JSON.stringify(openAiBody(request, model, dialect)),
      headersTimeout: timeoutMs,
      // the idle deadline counts events; keep-alive bytes do not reset it
      bodyTimeout: 0,
      signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ApiError) throw error;
    const isTimeout =
      error instanceof errors.HeadersTimeoutError ||
      error instanceof errors.ConnectTimeoutError;
    throw isTimeout ? timeoutFailure(timeoutMs) : unreachableFailure(error);
  }
}
