import { ApiError } from "../../../platform/http/errors.ts";
import { toStoredFailure } from "../../../platform/http/reported-error.ts";
import { logFailedCall } from "../../../platform/outgoing/log-failed-call.ts";
import type { RecentFailures } from "../../../platform/telemetry/health.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import type { CallCounts } from "../../completion/contract-count-calls.ts";
import { meaningOf } from "./failure-meanings.ts";
import type { ObserveCall } from "./over-http.ts";

export const MODEL_SERVER = "embedding model";
interface Deps {
  failures: RecentFailures;
  calls: Pick<CallCounts, "answered" | "failed">;
  log: Logger;
}

/** Reports how calls to models end: to the health of this process, and of their provider. */
export function observeCalls({ failures, calls, log }: Deps): ObserveCall {
  return (error, { provider, catalogueName }) => {
    const code = error instanceof ApiError ? error.code : "unexpected";
    const outcome = error === undefined ? "answered" : meaningOf({ code }).outcome;
    if (error !== undefined) logFailedCall(log, { server: MODEL_SERVER, provider }, error);
    if (error === undefined) failures.succeeded(MODEL_SERVER);
    else if (outcome !== "answered") failures.failed(MODEL_SERVER, code);
    if (catalogueName === undefined) return;
    if (outcome === "answered") calls.answered(catalogueName);
    else if (error instanceof ApiError)
      calls.failed(catalogueName, outcome, toStoredFailure(error));
  };
}
