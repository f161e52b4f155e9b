import {
  type LanguageModelV3,
  type LanguageModelV3StreamPart,
  type SharedV3ProviderMetadata,
  type SharedV3ProviderOptions,
  APICallError,
  UnsupportedFunctionalityError,
} from "@ai-sdk/provider";
import { Deadline } from "../../../platform/http/deadline.ts";
import {
  cutFailure,
  timeoutFailure,
  tooLongFailure,
  invalidFailure,
  statusFailure,
  unreachableFailure,
} from "../provider-failures.ts";
import type { ProviderClient } from "../provider-client.ts";
import { MAX_REPLY_CHARACTERS, MAX_REPLY_CALLS } from "../reply-limits.ts";
import {
  type CompletionRequest,
  type CompletionEvent,
  type CompletionFinish,
} from "../contract.ts";
import {
  nameOfOption,
  type RareOption,
  RARE_OPTIONS,
} from "../contract-model-parameters.ts";
import { boundedEvents } from "./bounded-fetch.ts";
import { toCallOptions } from "./to-call-options.ts";
import { ApiError } from "../../../platform/http/errors.ts";
import { optionUnsupported } from "../contract-option-unsupported.ts";
import { errorFailure, refusalFailure } from "../explain-refusal.ts";
import { readFinish } from "../openai-client/finish-reasons.ts";
import { readArguments } from "../openai-client/read-arguments.ts";
import { withMessageState } from "../provider-state.ts";
import { toUsage } from "../to-usage.ts";
import { isRecord } from "../../../platform/json/is-record.ts";

type Fetch = typeof globalThis.fetch;
interface Options {
  /** Limits the size of what the provider sends. */
  bound?: (fetch: Fetch) => Fetch;
  /** Whether the provider requires a limit of tokens: then the catalogue's is the default. */
  needsLimit?: boolean;
  /** The options that its protocol has a place for, of those that not every provider takes. */
  takes?: readonly RareOption[];
  /** How the package marks the end of what the provider is to cache, for models that can. */
  cachePoint?: (model: string) => SharedV3ProviderOptions | undefined;
  /** How the package names whether a model may call several tools at once. */
  parallelToolCalls?: (allowed: boolean) => SharedV3ProviderOptions;
}
type OpenModel<Config> = (config: Config, model: string, fetch: Fetch) => LanguageModelV3;

/**
 * The client of a provider whose protocol a package of the AI SDK speaks. Only `doStream` of the
 * package's model is used.
 */
export function aiSdkClient<Config>(
  openModel: OpenModel<Config>,
  {
    bound = boundedEvents,
    needsLimit = false,
    takes = [],
    cachePoint,
    parallelToolCalls,
  }: Options = {},
): ProviderClient<Config> {
  return async function* (call) {
    const { request, model, config, endpoints, timeoutMs, signal, onSend } = call;
    const limit = needsLimit ? call.maxOutputTokens : undefined;
    signal.throwIfAborted();
    refuseOptions(request, takes);
    onSend();
    const idle = new Deadline(signal, timeoutMs);
    const reader = new PartReader();
    let isFinished = false;
    let argumentCharacters = 0;
    try {
      const { parallelToolCalls: allowed } = request;
      const options = {
        ...toCallOptions(request, { limit, cachePoint: cachePoint?.(model) }),
        ...(allowed !== undefined && { providerOptions: parallelToolCalls?.(allowed) }),
        abortSignal: idle.signal,
      };
      const { stream } = await openModel(config, model, bound(endpoints.fetch)).doStream(
        options,
      );
      for await (const part of stream) {
        // backpressure from a slow client does not count towards the idle timeout
        idle.pause();
        if (part.type === "tool-input-delta") argumentCharacters += part.delta.length;
        if (argumentCharacters > MAX_REPLY_CHARACTERS) throw tooLongFailure();
        const events = reader.read(part);
        isFinished ||= part.type === "finish";
        if (events.length > 0) yield events;
        idle.restart();
      }
    } catch (error) {
      signal.throwIfAborted();
      throw idle.late ? timeoutFailure(timeoutMs) : toProviderFailure(error);
    } finally {
      idle.stop();
    }
    if (!isFinished) throw cutFailure();
  };
}

/** @throws BadRequest for an option that the provider's protocol has no place for. */
function refuseOptions(request: CompletionRequest, taken: readonly RareOption[]): void {
  const name = RARE_OPTIONS.find(
    (option) => request[option] !== undefined && !taken.includes(option),
  );
  if (name !== undefined) throw optionUnsupported(nameOfOption(name, request));
}

type Call = Extract<CompletionEvent, { type: "tool_call" }>;
type Finish = Extract<LanguageModelV3StreamPart, { type: "finish" }>;

interface Thought {
  text: string;
  /** Its signature. */
  metadata?: SharedV3ProviderMetadata;
}

/** Reads the parts of a stream of the AI SDK. Calls wait until it is known how the reply ended. */
class PartReader {
  readonly #calls: Call[] = [];
  readonly #thoughts = new Map<string, Thought>();

  /** The events of one part. @throws ApiError for a part that is an error. */
  read(part: LanguageModelV3StreamPart): CompletionEvent[] {
    switch (part.type) {
      case "text-delta":
        return part.delta ? [{ type: "text_delta", delta: part.delta }] : [];
      case "reasoning-start":
      case "reasoning-end":
        this.#addThought(part.id, "", part.providerMetadata);
        return [];
      case "reasoning-delta":
        this.#addThought(part.id, part.delta, part.providerMetadata);
        return part.delta ? [{ type: "reasoning_delta", delta: part.delta }] : [];
      case "tool-call":
        this.#addCall(part);
        return [];
      case "error":
        throw toProviderFailure(part.error);
      case "finish":
        return this.#finish(part);
      default:
        return [];
    }
  }

  #addCall(part: Extract<LanguageModelV3StreamPart, { type: "tool-call" }>): void {
    const { toolCallId: id, toolName: name, input, providerMetadata: metadata } = part;
    const call: Call = { type: "tool_call", id, name, ...readArguments(input) };
    if (metadata) call.state = { call: { metadata } };
    if (this.#calls.push(call) > MAX_REPLY_CALLS) throw tooLongFailure();
  }

  #addThought(id: string, delta: string, metadata?: SharedV3ProviderMetadata): void {
    const thought = this.#thoughts.get(id) ?? { text: "" };
    thought.text += delta;
    if (metadata) thought.metadata = { ...thought.metadata, ...metadata };
    this.#thoughts.set(id, thought);
  }

  #finish({ usage, finishReason: { unified, raw } }: Finish): CompletionEvent[] {
    const { inputTokens, outputTokens } = usage;
    const finish = toFinish(unified, raw);
    const isCut = finish === "length";
    const calls = this.#calls.filter(
      ({ unreadable }) => !isCut || unreadable === undefined,
    );
    // a thought without a signature need not go back
    const thoughts = [...this.#thoughts.values()].filter(({ metadata }) => metadata);
    return [
      ...withMessageState(calls, thoughts.length > 0 ? { thoughts } : undefined),
      {
        type: "done",
        finishReason: finish === "stop" && calls.length > 0 ? "tool_calls" : finish,
        usage: toUsage({
          input: inputTokens.total,
          output: outputTokens.total,
          cached: inputTokens.cacheRead,
          written: inputTokens.cacheWrite,
        }),
      },
    ];
  }
}

/** @throws ProviderFailure for a reply that the provider ended with an error, or not at all. */
function toFinish(
  unified: Finish["finishReason"]["unified"],
  raw?: string,
): CompletionFinish {
  // the package makes up this end when the stream has none
  if (unified === "other" && raw === undefined) throw cutFailure();
  if (unified === "length") return "length";
  if (unified === "content-filter") return "content_filter";
  const named = readFinish(raw ?? "");
  if (unified === "error" || named === "error") throw errorFailure(undefined);
  if (unified === "tool-calls") return "tool_calls";
  // a call that only carries the JSON of an answer has ended with the name of a call
  return named === "tool_calls" ? "stop" : named;
}

/** The error of an AI SDK call or stream as one of ours, without the provider's own words. */
function toProviderFailure(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  // the protocol of the provider cannot express the request
  if (UnsupportedFunctionalityError.isInstance(error)) return statusFailure(400);
  if (APICallError.isInstance(error)) return toCallFailure(error);
  const sent = errorInChunk(error);
  if (sent !== undefined) return errorFailure(sent);
  const name = error instanceof Error ? error.name : "";
  // a RangeError means JSON that is nested deeper than the stack
  if (/parse|validation|invalid|range/i.test(name)) return invalidFailure(error);
  if (isConnectionCut(error)) return cutFailure(error);
  // an error that the provider sent in its stream
  return errorFailure(error);
}

function toCallFailure(error: APICallError): ApiError {
  const { statusCode, responseHeaders } = error;
  if (statusCode !== undefined && statusCode >= 300)
    return refusalFailure(
      statusCode,
      responseHeaders?.["retry-after"],
      error.responseBody ?? "",
    );
  if (statusCode !== 200) return unreachableFailure(error);
  return isConnectionCut(error.cause) ? cutFailure(error) : invalidFailure(error);
}

/** What is no chunk of a reply may be an error, as Mistral writes it. */
function errorInChunk(error: unknown): unknown {
  const { value } = (error ?? {}) as { value?: unknown }; // that which was not valid
  if (!isRecord(value)) return undefined;
  const isError = value["object"] === "error" || value["type"] === "error";
  return value["error"] ?? (isError ? value : undefined);
}

/** undici's `fetch` throws this when the connection ends before the body. */
function isConnectionCut(error: unknown): boolean {
  return error instanceof TypeError && /terminated|aborted/i.test(error.message);
}
