import { setTimeout as sleep } from "node:timers/promises";
import { deliver, type Emit, pushed, ReaderLeft } from "../../platform/batches.ts";
import { Deadline } from "../../platform/http/deadline.ts";
import { ApiError } from "../../platform/http/errors.ts";
import type { Outgoing } from "../../platform/outgoing/outgoing.ts";
import type { Workers } from "../../platform/workers/workers.ts";
import {
  askModels,
  impatientFailure,
  mayBeReplaced,
  patienceMs,
  type ModelTurn,
  type ModelTurnDeps,
} from "./ask-models.ts";
import { MISTRAL_MODEL, withUniqueCallIds } from "./call-ids.ts";
import {
  createFormatCheck,
  type FormatCheck,
  withJsonInstruction,
} from "./check-format.ts";
import type { DefaultParameters } from "./contract-model-parameters.ts";
import type { Target } from "./catalogue.ts";
import { conversationKey } from "./conversation-key.ts";
import { providerKinds } from "./contract-provider-kinds.ts";
import type { AnsweredBy, CompletionEvent, CompletionRequest } from "./contract.ts";
import { withImageTypes } from "./image-type.ts";
import { KeyRing } from "./key-ring.ts";
import type { LoadClient } from "./load-client.ts";
import { observeCall, type ObserveDeps } from "./observe-call.ts";
import type { ProviderCall } from "./provider-client.ts";
import { refuseFiles, takesFiles } from "./refuse-files.ts";
import { refuseProvider } from "./refuse-provider.ts";
import {
  isWorthRepeating,
  misconfiguredFailure,
  tooLongFailure,
  tooSlowFailure,
} from "./provider-failures.ts";
import { MAX_REPLY_CHARACTERS } from "./reply-limits.ts";
import { withOwnState } from "./provider-state.ts";
import { withSafeToolNames } from "./safe-tool-names.ts";
import { withThinkingApart } from "./thinking-tags.ts";
import { withToolImages } from "./tool-images.ts";
import { estimateInput, type UsageMeter } from "./usage-meter.ts";

export interface CompleteDeps extends ModelTurnDeps, ObserveDeps {
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
}

const MAX_ATTEMPTS = 3;
/** Of a model that another can replace. */
const MAX_ATTEMPTS_BEFORE_NEXT = 2;
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

/** What the models that are asked in turn for one reply share. */
interface Work {
  deps: CompleteDeps;
  request: CompletionRequest;
  format: FormatCheck | undefined;
  deadline: Deadline;
  signal: AbortSignal;
  emit: Emit<CompletionEvent[]>;
}

async function run(
  deps: CompleteDeps,
  request: CompletionRequest,
  signal: AbortSignal,
  emit: Emit<CompletionEvent[]>,
): Promise<void> {
  const format = await createFormatCheck(deps.workers, request, signal);
  const asked = await deps.catalogue.resolve(request.model);
  refuseProvider(request.labels, asked.provider.name);
  refuseFiles(request, asked);
  const deadline = new Deadline(signal, deps.replyTimeoutMs);
  const work: Work = { deps, request, format, deadline, signal, emit };
  try {
    const { context = {}, labels } = request;
    const key = conversationKey(asked.id, request);
    const suits = (target: Target) => canTake(target, request);
    const matter = { kind: "completion", context, labels, key, suits } as const;
    await askModels(deps, matter, asked, (target, turn) => reply(work, target, turn));
  } catch (error) {
    throw deadline.late ? tooSlowFailure(deps.replyTimeoutMs) : error;
  } finally {
    deadline.stop();
  }
}

/**
 * The reply of one model.
 * @returns why it could not begin, where another may then answer.
 */
async function reply(
  { deps, request, format, deadline, signal, emit }: Work,
  target: Target,
  turn: ModelTurn,
): Promise<ApiError | undefined> {
  const { kind, config, name } = target.provider;
  if (!providerKinds[kind].config.safeParse(config).success)
    return misconfiguredFailure(name);
  const client = withSafeToolNames(await deps.loadClient(kind));
  const stream = withUniqueCallIds(withOwnState(client, `${name}/${target.model}`));
  const meter = deps.startMeter({ provider: name, model: target.model }, request);
  const call = toCall(deps, target, request, deadline.signal, () => meter.send());
  const keys = new KeyRing(deps.keyRests, target.provider);
  const ends = observeCall(deps, { provider: name, model: target.model, state: meter });
  const { answeredBy } = turn;
  const finish = async (events: CompletionEvent[]) => {
    // a client that gets `done` may rely on the record
    if (meter.isComplete) await meter.record();
    const failure = await format?.next(events);
    await emit(failure ? events.filter(({ type }) => type !== "done") : events);
    if (failure) throw failure;
  };
  try {
    for (let attempt = 1; ; attempt += 1) {
      const waitMs = patienceMs(deps, turn);
      const patience =
        waitMs === undefined ? undefined : new Deadline(deadline.signal, waitMs);
      const until = (patience ?? deadline).signal;
      try {
        const events = stream({ ...call, signal: until, config: keys.next() });
        await deliver(withThinkingApart(events), (batch) => {
          patience?.pause();
          const shown = answeredBy
            ? introduced(batch, answeredBy, !meter.isStarted)
            : batch;
          meter.count(batch);
          if (meter.characters > MAX_REPLY_CHARACTERS) throw tooLongFailure();
          return meter.isComplete || format ? finish(shown) : emit(shown);
        });
        keys.answered();
        ends.succeeded();
        return undefined;
      } catch (caught) {
        const error = patience?.late ? impatientFailure(waitMs ?? 0) : caught;
        const isStopped = deadline.signal.aborted || error instanceof ReaderLeft;
        if (deadline.signal.aborted) meter.abandon();
        // of a call that was stopped before it was answered nothing is known
        if (!isStopped) ends.failed(error, attempt);
        else if (meter.isStarted) ends.answered();
        const hasBegun = meter.isStarted || deadline.signal.aborted;
        if (!hasBegun && keys.failed(error)) continue;
        const delayMs = meter.isStarted ? undefined : retryDelay(error, attempt, turn);
        if (delayMs === undefined || deadline.signal.aborted) throw error;
        await sleep(delayMs, undefined, { signal: deadline.signal });
      } finally {
        patience?.stop();
      }
    }
  } catch (error) {
    const isLeft = signal.aborted || error instanceof ReaderLeft;
    meter.fail(isLeft ? "cancelled" : "error");
    const hasBegun = meter.isStarted || deadline.signal.aborted;
    if (!hasBegun && mayBeReplaced(error, turn)) return error;
    throw error;
  } finally {
    await meter.record();
  }
}

/** Whether a model can take the request. */
function canTake(target: Target, request: CompletionRequest): boolean {
  const { tools = [], messages } = request;
  if (tools.length > 0 && !target.callsTools) return false;
  if (!target.sees && messages.some(hasImage)) return false;
  if (!takesFiles(request, target)) return false;
  const { contextWindow } = target;
  return contextWindow === undefined || estimateInput(messages) <= contextWindow;
}

function hasImage({ content }: CompletionRequest["messages"][number]): boolean {
  return typeof content !== "string" && content.some(({ type }) => type === "image");
}

/** The events of a model that answers in the place of another, which say so. */
function introduced(
  batch: readonly CompletionEvent[],
  answeredBy: AnsweredBy,
  isFirst: boolean,
): CompletionEvent[] {
  const events = batch.map((event) =>
    event.type === "done" ? { ...event, answeredBy } : event,
  );
  return isFirst ? [{ type: "answered_by", ...answeredBy }, ...events] : events;
}

function toCall(
  { endpoints, outgoing, timeoutMs }: CompleteDeps,
  { provider, model, sees, maxOutputTokens, parameters }: Target,
  request: CompletionRequest,
  signal: AbortSignal,
  onSend: () => void,
): ProviderCall {
  const { config } = provider;
  const reader = { sees, needsAnswerBetween: MISTRAL_MODEL.test(model) };
  const messages = withImageTypes(withToolImages(request.messages, reader));
  return {
    request: withinLimit(
      toWellFormed(withJsonInstruction({ ...withDefaults(request, parameters), messages })),
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

/**
 * What the request does not say is as the administrator set it for the model. `temperature` and
 * `topP` are one choice, which some models take once: a request that makes it makes it whole.
 */
function withDefaults(
  request: CompletionRequest,
  defaults: DefaultParameters | undefined,
): CompletionRequest {
  if (!defaults) return request;
  const { temperature, topP, ...others } = defaults;
  const isSampled = request.temperature !== undefined || request.topP !== undefined;
  const sampling = isSampled ? undefined : { temperature, topP };
  return { ...others, ...sampling, ...request };
}

/** Providers refuse a request for more tokens than the model can write. */
function withinLimit(request: CompletionRequest, limit?: number): CompletionRequest {
  const { maxTokens } = request;
  if (maxTokens === undefined || limit === undefined || maxTokens <= limit) return request;
  return { ...request, maxTokens: limit };
}

/**
 * How long to wait before the next attempt; `undefined` for no further attempt. The delay has full
 * jitter, so that many requests do not return together.
 */
function retryDelay(
  error: unknown,
  attempt: number,
  { hasNext, leftMs }: ModelTurn,
): number | undefined {
  if (!isWorthRepeating(error)) return undefined;
  if (attempt >= (hasNext ? MAX_ATTEMPTS_BEFORE_NEXT : MAX_ATTEMPTS)) return undefined;
  // one that asks for time gets it while another answers
  if (hasNext && error.retryAfterMs !== undefined) return undefined;
  const { retryAfterMs } = error;
  const delayMs = retryAfterMs ?? Math.random() * RETRY_DELAY_MS * 2 ** attempt;
  return delayMs <= MAX_RETRY_AFTER_MS && delayMs < leftMs() ? delayMs : undefined;
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
