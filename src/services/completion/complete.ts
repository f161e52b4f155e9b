import { setTimeout as sleep } from "node:timers/promises";
import { currentContext } from "../../platform/http/context.ts";
import { Deadline } from "../../platform/http/deadline.ts";
import { ApiError } from "../../platform/http/errors.ts";
import { logFailedCall } from "../../platform/outgoing/log-failed-call.ts";
import type { Outgoing } from "../../platform/outgoing/outgoing.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { RecentFailures } from "../../platform/telemetry/recent-failures.ts";
import type { Workers } from "../../platform/workers/workers.ts";
import { formatCheck, withInstruction } from "./answer-format.ts";
import type { Catalogue } from "./catalogue.ts";
import { type ProviderKind, providerKinds } from "./contract-catalogue.ts";
import type { CompletionEvent, CompletionRequest } from "./contract.ts";
import {
  MAX_REPLY_CHARACTERS,
  misconfiguredFailure,
  type Provider,
  ProviderFailure,
  tooLongFailure,
  tooSlowFailure,
} from "./provider.ts";
import type { Meter } from "./record-usage.ts";
import { withSafeNames } from "./safe-names.ts";

export interface CompleteDeps {
  catalogue: Catalogue;
  providers: Record<ProviderKind, Provider>;
  outgoing: Outgoing;
  /** Where schemas of replies are compiled. */
  workers: Pick<Workers, "run">;
  timeoutMs: number;
  /** For a reply in all, however steadily it comes. */
  replyTimeoutMs: number;
  startMeter: (target: { provider: string; model: string }, request: CompletionRequest) => Meter;
  failures: RecentFailures;
  log: Logger;
}

/** Failures that say nothing of the provider's health. */
const HARMLESS = ["provider_refused_request", "provider_reply_too_long", "reply_timeout"];

const TRIES = 3;
/**
 * A provider that asks for a longer wait than this gets no second try: the person would rather
 * know.
 */
const MAX_WAIT_MS = 5_000;

/**
 * One reply of a model, event by event, ended by `done`. A failure is tried again only while
 * nothing has been sent. What was used is recorded however it ends.
 * @throws ApiError: `ProviderFailure`, `model_unknown`, or `response_schema_invalid`.
 */
export async function* complete(
  deps: CompleteDeps,
  request: CompletionRequest,
  signal: AbortSignal,
): AsyncGenerator<CompletionEvent[]> {
  const format = await formatCheck(deps.workers, request, signal);
  const target = await deps.catalogue.resolve(request.model);
  const { kind, config, name } = target.provider;
  if (!providerKinds[kind].config.safeParse(config).success) throw misconfiguredFailure(name);
  const provide = withSafeNames(deps.providers[kind]);
  const meter = deps.startMeter({ provider: name, model: target.model }, request);
  const clock = new Deadline(signal, deps.replyTimeoutMs);
  // what fails later in the stream fails outside of the request's context
  const log = currentContext()?.log ?? deps.log;
  const ask = {
    request: withInstruction(request),
    model: target.model,
    config,
    outgoing: deps.outgoing,
    timeoutMs: deps.timeoutMs,
    signal: clock.signal,
  };
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        for await (const events of provide(ask)) {
          meter.count(events);
          if (meter.characters > MAX_REPLY_CHARACTERS) throw tooLongFailure();
          // whoever hears that a reply is complete may count on its record
          if (meter.ended) await meter.record();
          const wrong = await format?.see(events);
          yield wrong ? events.filter(({ type }) => type !== "done") : events;
          if (wrong) throw wrong;
        }
        deps.failures.succeeded(name);
        return;
      } catch (error) {
        if (!clock.signal.aborted && error instanceof ApiError) {
          logFailedCall(log, { provider: name, model: target.model, attempt }, error);
          if (!HARMLESS.includes(error.code)) deps.failures.failed(name, error.code);
        }
        const wait = meter.started ? undefined : waitBefore(error, attempt);
        if (wait === undefined || clock.signal.aborted) throw error;
        await sleep(wait, undefined, { signal: clock.signal });
      }
    }
  } catch (error) {
    meter.failed(signal.aborted ? "cancelled" : "error");
    throw clock.late ? tooSlowFailure(deps.replyTimeoutMs) : error;
  } finally {
    clock.stop();
    await meter.record();
  }
}

/**
 * How long to wait before the next try; `undefined`: there is none. Full jitter, so that many do
 * not return together.
 */
function waitBefore(error: unknown, attempt: number): number | undefined {
  if (!(error instanceof ProviderFailure) || !error.retryable || attempt >= TRIES) return undefined;
  // a provider that stayed silent for the whole timeout has used up the person's patience
  if (error.code === "provider_timeout") return undefined;
  if (error.retryAfterMs !== undefined)
    return error.retryAfterMs <= MAX_WAIT_MS ? error.retryAfterMs : undefined;
  return Math.random() * 500 * 2 ** attempt;
}
