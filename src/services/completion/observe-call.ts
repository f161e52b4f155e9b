import { currentContext } from "../../platform/http/context.ts";
import { ApiError } from "../../platform/http/errors.ts";
import { toStoredFailure } from "../../platform/http/reported-error.ts";
import { logFailedCall } from "../../platform/outgoing/log-failed-call.ts";
import type { RecentFailures } from "../../platform/telemetry/health.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { CallCounts } from "./contract-count-calls.ts";
import { meaningOf } from "./failure-meanings.ts";

export interface ObserveDeps {
  failures: RecentFailures;
  calls: Pick<CallCounts, "answered" | "failed">;
  log: Logger;
}

interface Call {
  provider: string;
  model: string;
  /** What is not sent says nothing of the provider over time. */
  state: { readonly isSent: boolean; readonly firstTokenMs?: number | undefined };
}

/** Reports how a call to a provider ends: to the log, and to the health of both sides. */
export function observeCall(deps: ObserveDeps, { provider, model, state }: Call) {
  // taken now: a stream fails outside of the context of its request
  const log = currentContext()?.log ?? deps.log;
  const answered = () => {
    if (state.isSent) deps.calls.answered(provider, state.firstTokenMs);
  };
  return {
    succeeded() {
      deps.failures.succeeded(provider);
      answered();
    },
    /** Also of what was stopped, which says nothing of the last failure. */
    answered,
    failed(error: unknown, attempt: number) {
      if (!(error instanceof ApiError)) return;
      logFailedCall(log, { provider, model, attempt }, error);
      const { outcome } = meaningOf(error);
      if (outcome === "answered") return answered();
      deps.failures.failed(provider, error.code);
      if (state.isSent) deps.calls.failed(provider, outcome, toStoredFailure(error));
    },
  };
}
