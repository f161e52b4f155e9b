import { ApiError } from "../../../platform/http/errors.ts";
import { toStoredFailure } from "../../../platform/http/reported-error.ts";
import { logFailedCall } from "../../../platform/outgoing/log-failed-call.ts";
import type { RecentFailures } from "../../../platform/telemetry/health.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import type { CallCounts } from "../../completion/contract-count-calls.ts";
import type { CallOutcome } from "../../completion/contract-provider-calls.ts";
import type { ObserveCall } from "./over-http.ts";

export const MODEL_SERVER = "embedding model";
/** What the failure of a call says of the health of its server. All others: it failed. */
const OUTCOMES: Readonly<Record<string, CallOutcome>> = {
  embedding_too_large: "answered",
  embedding_rate_limited: "rate_limited",
  embedding_unreachable: "unreachable",
  address_not_allowed: "unreachable",
  embedding_refused: "refused",
  embedding_timeout: "timed_out",
};

interface Deps {
  failures: RecentFailures;
  calls: Pick<CallCounts, "answered" | "failed">;
  log: Logger;
}

/** Reports how calls to models end: to the health of this process, and of their provider. */
export function observeCalls({ failures, calls, log }: Deps): ObserveCall {
  return (error, { provider, catalogueName }) => {
    const code = error instanceof ApiError ? error.code : "unexpected";
    const outcome = error === undefined ? "answered" : (OUTCOMES[code] ?? "failed");
    if (error !== undefined) logFailedCall(log, { server: MODEL_SERVER, provider }, error);
    if (error === undefined) failures.succeeded(MODEL_SERVER);
    else if (outcome !== "answered") failures.failed(MODEL_SERVER, code);
    if (catalogueName === undefined) return;
    if (outcome === "answered") calls.answered(catalogueName);
    else if (error instanceof ApiError)
      calls.failed(catalogueName, outcome, toStoredFailure(error));
  };
}
