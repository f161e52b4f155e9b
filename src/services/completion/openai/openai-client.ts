import { type Dispatcher, errors, request as undiciRequest } from "undici";
import { traceHeaders } from "../../../platform/http/context.ts";
import { Deadline } from "../../../platform/http/deadline.ts";
import { ApiError } from "../../../platform/http/errors.ts";
import type { ProviderCall, ProviderClient } from "../provider-client.ts";
import {
  cutFailure,
  ProviderFailure,
  statusFailure,
  timeoutFailure,
  unreachableFailure,
} from "../provider-failures.ts";
import { OpenAiReader } from "./read-stream.ts";
import { type Dialect, openAiBody } from "./request-body.ts";

/**
 * How much of an error answer is read: enough to reuse the connection where the body ends by
 * itself.
 */
const MAX_ERROR_BYTES = 64 * 1024;
const MAX_ERROR_MS = 1_000;

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
  return async function* (call) {
    const { signal, timeoutMs } = call;
    const response = await connect(toTarget(call.config, call.model), call);
    const reader = new OpenAiReader();
    const decoder = new TextDecoder();
    const idle = new Deadline(undefined, timeoutMs);
    idle.signal.addEventListener("abort", () => response.body.destroy(), { once: true });
    try {
      let chunks = 0;
      for await (const chunk of response.body) {
        // without an encoding, undici's body yields Buffers
        const events = reader.push(decoder.decode(chunk as Buffer, { stream: true }));
        if (reader.chunks > chunks) {
          chunks = reader.chunks;
          // backpressure from a slow client does not count towards the idle timeout
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

async function connect<Config>(
  target: Target,
  call: ProviderCall<Config>,
): Promise<Dispatcher.ResponseData> {
  const response = await send(target, call);
  if (response.statusCode === 200) return response;
  // not awaited: the status is enough, and the body of an error may take long
  response.body
    .dump({ limit: MAX_ERROR_BYTES, signal: AbortSignal.timeout(MAX_ERROR_MS) })
    .catch(() => {});
  const retryAfter = response.headers["retry-after"];
  throw statusFailure(
    response.statusCode,
    typeof retryAfter === "string" ? retryAfter : undefined,
  );
}

/** @throws ApiError. */
async function send<Config>(
  { url, headers, dialect }: Target,
  { request, model, outgoing, timeoutMs, signal, onSend }: ProviderCall<Config>,
): Promise<Dispatcher.ResponseData> {
  outgoing.check(url);
  signal.throwIfAborted();
  onSend();
  try {
    return await undiciRequest(url, {
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
