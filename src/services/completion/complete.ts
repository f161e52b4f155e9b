import { setTimeout as sleep } from "node:timers/promises";
import { currentContext } from "../../platform/http/context.ts";
import { Deadline } from "../../platform/http/deadline.ts";
import { ApiError } from "../../platform/http/errors.ts";
import { logFailedCall } from "../../platform/outgoing/log-failed-call.ts";
import type { Outgoing } from "../../platform/outgoing/outgoing.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { RecentFailures } from "../../platform/telemetry/recent-failures.ts";
import type { Workers } from "../../platform/workers/workers.ts";
import { createFormatCheck, withJsonInstruction } from "./check-format.ts";
import type { Catalogue, Target } from "./catalogue.ts";
import { providerKinds } from "./contract-provider-kinds.ts";
import type { CompletionEvent, CompletionRequest } from "./contract.ts";
import type { LoadClient } from "./load-client.ts";
import type { ProviderCall } from "./provider-client.ts";
import {
  misconfiguredFailure,
  ProviderFailure,
  tooLongFailure,
  tooSlowFailure,
} from "./provider-failures.ts";
import { MAX_REPLY_CHARACTERS } from "./reply-limits.ts";
import { withSafeToolNames } from "./safe-tool-names.ts";
import type { UsageMeter } from "./usage-meter.ts";

export interface CompleteDeps {
  catalogue: Catalogue;
  loadClient: LoadClient;
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
 * @throws ApiError: `ProviderFailure`, `model_unknown`, or `response_schema_invalid`.
 */
export async function* complete(
  deps: CompleteDeps,
  request: CompletionRequest,
  signal: AbortSignal,
): AsyncGenerator<CompletionEvent[]> {
  const format = await createFormatCheck(deps.workers, request, signal);
  const target = await deps.catalogue.resolve(request.model);
  const { kind, config, name } = target.provider;
  if (!providerKinds[kind].config.safeParse(config).success)
    throw misconfiguredFailure(name);
  const stream = withSafeToolNames(await deps.loadClient(kind));
  const meter = deps.startMeter({ provider: name, model: target.model }, request);
  const deadline = new Deadline(signal, deps.replyTimeoutMs);
  const call = toCall(deps, target, request, deadline.signal, () => meter.send());
  const noteFailure = failureNoter(deps, target);
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        for await (const events of stream(call)) {
          meter.count(events);
          if (meter.characters > MAX_REPLY_CHARACTERS) throw tooLongFailure();
          // a client that gets `done` may rely on the record
          if (meter.isComplete) await meter.record();
          const failure = await format?.next(events);
          yield failure ? events.filter(({ type }) => type !== "done") : events;
          if (failure) throw failure;
        }
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
    meter.fail(signal.aborted ? "cancelled" : "error");
    throw deadline.late ? tooSlowFailure(deps.replyTimeoutMs) : error;
  } finally {
    deadline.stop();
    await meter.record();
  }
}

function toCall(
  { outgoing, timeoutMs }: CompleteDeps,
  { provider, model }: Target,
  request: CompletionRequest,
  signal: AbortSignal,
  onSend: () => void,
): ProviderCall {
  const { config } = provider;
  return {
    request: withJsonInstruction(request),
    model,
    config,
    outgoing,
    timeoutMs,
    signal,
    onSend,
  };
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
