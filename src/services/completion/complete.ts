import { setTimeout as sleep } from "node:timers/promises";
import { deliver, type Emit, pushed, ReaderLeft } from "../../platform/batches.ts";
import { currentContext } from "../../platform/http/context.ts";
import { Deadline } from "../../platform/http/deadline.ts";
import { ApiError } from "../../platform/http/errors.ts";
import { logFailedCall } from "../../platform/outgoing/log-failed-call.ts";
import type { Outgoing } from "../../platform/outgoing/outgoing.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { RecentFailures } from "../../platform/telemetry/health.ts";
import type { Workers } from "../../platform/workers/workers.ts";
import { MISTRAL_MODEL, withUniqueCallIds } from "./call-ids.ts";
import { createFormatCheck, withJsonInstruction } from "./check-format.ts";
import type { Catalogue, Target } from "./catalogue.ts";
import { providerKinds } from "./contract-provider-kinds.ts";
import type { CompletionEvent, CompletionRequest } from "./contract.ts";
import { withImageTypes } from "./image-type.ts";
import type { LoadClient } from "./load-client.ts";
import type { ProviderCall, ProviderClient } from "./provider-client.ts";
import { refuseFiles } from "./refuse-files.ts";
import { refuseProvider } from "./refuse-provider.ts";
import { mapBatches } from "./map-batches.ts";
import {
  misconfiguredFailure,
  ProviderFailure,
  tooLongFailure,
  tooSlowFailure,
} from "./provider-failures.ts";
import { MAX_REPLY_CHARACTERS } from "./reply-limits.ts";
import { withOwnState } from "./provider-state.ts";
import { withThinkingApart } from "./thinking-tags.ts";
import { withToolImages } from "./tool-images.ts";
import type { UsageMeter } from "./usage-meter.ts";
import { createHash } from "node:crypto";
import { toToolSchema } from "./tool-schema.ts";

export interface CompleteDeps {
  catalogue: Catalogue;
  loadClient: LoadClient;
  endpoints: Outgoing;
  outgoing: Outgoing;
  /** Compiles the schemas of replies. */
  workers: Pick<Workers, "run">;
  /** How long a provider may send nothing. */
  timeoutMs: number;
  /** Limit for a whole reply. */
  replyTimeoutMs: number;
  startMeter: (
    target: { provider: string; model: string },
    request: CompletionRequest,
  ) => UsageMeter;
  failures: RecentFailures;
  log: Logger;
}

/** Failures that do not mean that the provider is unhealthy. */
const HARMLESS_CODES = [
  "provider_refused_request",
  "provider_filtered",
  "option_unsupported",
  "provider_without_files",
  "provider_input_too_long",
  "provider_output_limit",
  "provider_without_tools",
  "provider_without_images",
  "provider_reply_too_long",
  "reply_timeout",
];

const MAX_ATTEMPTS = 3;
/** A user should rather learn of a failure than wait longer than this for a retry. */
const MAX_RETRY_AFTER_MS = 5_000;
const RETRY_DELAY_MS = 500;

/**
 * Streams one reply of a model, ended by `done`. A failure is retried only while nothing was sent.
 * The usage is recorded however the reply ends.
 * @throws ApiError: `ProviderFailure`, `model_unknown`, `response_schema_invalid`, or
 * `label_forbids_provider`.
 */
export function complete(
  deps: CompleteDeps,
  request: CompletionRequest,
  signal: AbortSignal,
): AsyncIterable<CompletionEvent[]> {
  return pushed((emit) => run(deps, request, signal, emit));
}

async function run(
  deps: CompleteDeps,
  request: CompletionRequest,
  signal: AbortSignal,
  emit: Emit<CompletionEvent[]>,
): Promise<void> {
  const format = await createFormatCheck(deps.workers, request, signal);
  const target = await deps.catalogue.resolve(request.model);
  const { kind, config, name } = target.provider;
  refuseProvider(request.labels, name);
  refuseFiles(request, target);
  if (!providerKinds[kind].config.safeParse(config).success)
    throw misconfiguredFailure(name);
  const client = withSafeToolNames(await deps.loadClient(kind));
  const stream = withUniqueCallIds(withOwnState(client, `${name}/${target.model}`));
  const meter = deps.startMeter({ provider: name, model: target.model }, request);
  const deadline = new Deadline(signal, deps.replyTimeoutMs);
  const call = toCall(deps, target, request, deadline.signal, () => meter.send());
  const noteFailure = failureNoter(deps, target);
  const finish = async (events: CompletionEvent[]) => {
    // a client that gets `done` may rely on the record
    if (meter.isComplete) await meter.record();
    const failure = await format?.next(events);
    await emit(failure ? events.filter(({ type }) => type !== "done") : events);
    if (failure) throw failure;
  };
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await deliver(withThinkingApart(stream(call)), (events) => {
          meter.count(events);
          if (meter.characters > MAX_REPLY_CHARACTERS) throw tooLongFailure();
          return meter.isComplete || format ? finish(events) : emit(events);
        });
        deps.failures.succeeded(name);
        return;
      } catch (error) {
        if (deadline.signal.aborted) meter.abandon();
        else noteFailure(error, attempt);
        const delayMs = meter.isStarted ? undefined : retryDelay(error, attempt);
        if (delayMs === undefined || deadline.signal.aborted) throw error;
        await sleep(delayMs, undefined, { signal: deadline.signal });
      }
    }
  } catch (error) {
    const isLeft = signal.aborted || error instanceof ReaderLeft;
    meter.fail(isLeft ? "cancelled" : "error");
    throw deadline.late ? tooSlowFailure(deps.replyTimeoutMs) : error;
  } finally {
    deadline.stop();
    await meter.record();
  }
}

function toCall(
  { endpoints, outgoing, timeoutMs }: CompleteDeps,
  { provider, model, sees, maxOutputTokens }: Target,
  request: CompletionRequest,
  signal: AbortSignal,
  onSend: () => void,
): ProviderCall {
  const { config } = provider;
  const reader = { sees, needsAnswerBetween: MISTRAL_MODEL.test(model) };
  const messages = withImageTypes(withToolImages(request.messages, reader));
  return {
    request: withinLimit(
      toWellFormed(withJsonInstruction({ ...request, messages })),
      maxOutputTokens,
    ),
    model,
    maxOutputTokens,
    config,
    endpoints,
    outgoing,
    timeoutMs,
    signal,
    onSend,
  };
}

/** Providers refuse a request for more tokens than the model can write. */
function withinLimit(request: CompletionRequest, limit?: number): CompletionRequest {
  const { maxTokens } = request;
  if (maxTokens === undefined || limit === undefined || maxTokens <= limit) return request;
  return { ...request, maxTokens: limit };
}

/** Logs failures of a provider and reports them to its health. */
function failureNoter(deps: CompleteDeps, { provider: { name }, model }: Target) {
  // taken now: a stream fails outside of the context of its request
  const log = currentContext()?.log ?? deps.log;
  return (error: unknown, attempt: number) => {
    if (!(error instanceof ApiError)) return;
    logFailedCall(log, { provider: name, model, attempt }, error);
    if (!HARMLESS_CODES.includes(error.code)) deps.failures.failed(name, error.code);
  };
}

/**
 * How long to wait before the next attempt; `undefined` for no further attempt. The delay has full
 * jitter, so that many requests do not return together.
 */
function retryDelay(error: unknown, attempt: number): number | undefined {
  if (!(error instanceof ProviderFailure) || !error.retryable) return undefined;
  if (attempt >= MAX_ATTEMPTS) return undefined;
  // the user has waited for the whole timeout already
  if (error.code === "provider_timeout") return undefined;
  const { retryAfterMs } = error;
  if (retryAfterMs === undefined) return Math.random() * RETRY_DELAY_MS * 2 ** attempt;
  return retryAfterMs <= MAX_RETRY_AFTER_MS ? retryAfterMs : undefined;
}

/**
 * The same JSON value with U+FFFD for half characters, with which strict servers refuse a request.
 * Almost every value has none, and is returned as it is.
 */
function toWellFormed<Value>(value: Value): Value {
  return wellFormed(value) as Value; // of the same shape
}

function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.isWellFormed() ? value : value.toWellFormed();
  if (Array.isArray(value)) {
    const parts = value.map(wellFormed);
    return parts.every((part, at) => part === value[at]) ? value : parts;
  }
  if (typeof value !== "object" || value === null) return value;
  let isChanged = false;
  const entries = Object.entries(value).map(([key, part]) => {
    const entry = [wellFormed(key), wellFormed(part)] as const;
    isChanged ||= entry[0] !== key || entry[1] !== part;
    return entry;
  });
  return isChanged ? Object.fromEntries(entries) : value;
}

/** The names of tools that every provider accepts. Another name makes it refuse the request. */
const SAFE_NAME = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
const MAX_PREFIX_CHARACTERS = 55;
const HASH_CHARACTERS = 8;

/**
 * MCP servers name their tools freely, such as `files.read`. The provider gets a safe name for each
 * such tool, and everybody else the real name.
 */
function withSafeToolNames(client: ProviderClient): ProviderClient {
  return (call) => {
    const request = withToolSchemas(call.request);
    const unsafe = toolNamesIn(request).filter((name) => !SAFE_NAME.test(name));
    if (unsafe.length === 0) return client({ ...call, request });
    const realNames = new Map(unsafe.map((name) => [toSafeName(name), name]));
    return withRealNames(client({ ...call, request: withSafeNames(request) }), realNames);
  };
}

function withRealNames(
  batches: AsyncIterable<CompletionEvent[]>,
  realNames: ReadonlyMap<string, string>,
): AsyncIterable<CompletionEvent[]> {
  const rename = (event: CompletionEvent) =>
    event.type === "tool_call"
      ? { ...event, name: realNames.get(event.name) ?? event.name }
      : event;
  return mapBatches(batches, (events) => events.map(rename));
}

/** MCP servers write schemas freely, too. */
function withToolSchemas(request: CompletionRequest): CompletionRequest {
  if (!request.tools) return request;
  const tools = request.tools.map((tool) => ({
    ...tool,
    inputSchema: toToolSchema(tool.inputSchema),
  }));
  return { ...request, tools };
}

function toolNamesIn({ tools = [], messages }: CompletionRequest): string[] {
  const calls = messages.flatMap(({ toolCalls = [] }) => toolCalls);
  return [...tools, ...calls].map(({ name }) => name);
}

function withSafeNames(request: CompletionRequest): CompletionRequest {
  const { tools } = request;
  const messages = request.messages.map((message) => {
    const { toolCalls } = message;
    return toolCalls ? { ...message, toolCalls: toolCalls.map(rename) } : message;
  });
  return { ...request, ...(tools && { tools: tools.map(rename) }), messages };
}

function rename<Named extends { name: string }>(named: Named): Named {
  return { ...named, name: toSafeName(named.name) };
}

/** The same for the same name, and different from every other: it ends in a hash of the name. */
function toSafeName(name: string): string {
  if (SAFE_NAME.test(name)) return name;
  const prefix = name
    .replace(/[^a-zA-Z0-9_-]/g, "_")
    .replace(/^(?=[0-9-])/, "_")
    .slice(0, MAX_PREFIX_CHARACTERS);
  const hash = createHash("sha256").update(name).digest("hex").slice(0, HASH_CHARACTERS);
  return `${prefix}_${hash}`;
}
