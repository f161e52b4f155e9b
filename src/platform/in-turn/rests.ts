import type { ApiError } from "../http/errors.ts";
import type { FailureMeaning } from "./candidate.ts";

/** Models that failed lately, and are left alone for a while where another can answer. */
export interface Rests {
  /**
   * Why a model rests: the code of its failure. Undefined where it may be asked. Behind its rest
   * one request tries it, and the others wait for what comes of that.
   */
  reasonOf(id: string): string | undefined;
  /** A failure that is not the provider's own leads to no rest. */
  failed(id: string, failure: ApiError): void;
  answered(id: string): void;
  /** The catalogue changed: what failed may be mended. */
  forget(): void;
}

const FIRST_REST_MS = 10_000;
/** Of what only a person can mend. */
const LONG_REST_MS = 60_000;
const MAX_REST_MS = 5 * 60_000;
const MIN_REST_MS = 1_000;
/** The longest time for which others wait for the request that tries a model again. */
const TRIAL_MS = 60_000;
/** More than a catalogue has that fail at once. */
const MAX_RESTING = 1_000;

interface Rest {
  code: string;
  until: number;
  /** Failures in a row. Those of requests that ran at once count as one. */
  failures: number;
  isTried: boolean;
}

/** What a failure says of the rest behind it; `retryAfterMs`: what the provider asks for. */
export type RestOf = (
  failure: ApiError,
) => Pick<FailureMeaning, "rest"> & { retryAfterMs?: number | undefined };

export function createRests(
  restOf: RestOf,
  now: () => number = () => performance.now(),
): Rests {
  const resting = new Map<string, Rest>();
  return {
    reasonOf(id) {
      const rest = resting.get(id);
      if (!rest) return undefined;
      if (now() < rest.until) return rest.code;
      rest.isTried = true;
      rest.until = now() + TRIAL_MS;
      return undefined;
    },
    failed(id, failure) {
      const meant = restOf(failure);
      if (!meant.rest) return;
      const before = resting.get(id);
      const isOnTop = before === undefined || before.isTried;
      const failures = isOnTop ? (before?.failures ?? 0) + 1 : before.failures;
      const until = Math.max(isOnTop ? 0 : before.until, now() + lengthOf(meant, failures));
      if (resting.size >= MAX_RESTING && !before) forgetFirst(resting);
      resting.set(id, { code: failure.code, until, failures, isTried: false });
    },
    answered: (id) => void resting.delete(id),
    forget: () => resting.clear(),
  };
}

/** As long as the provider asks for, else longer with each failure. */
function lengthOf({ rest, retryAfterMs }: ReturnType<RestOf>, failures: number): number {
  if (retryAfterMs !== undefined)
    return Math.min(Math.max(retryAfterMs, MIN_REST_MS), MAX_REST_MS);
  const first = rest === "long" ? LONG_REST_MS : FIRST_REST_MS;
  return Math.min(first * 2 ** (failures - 1), MAX_REST_MS);
}

function forgetFirst(resting: Map<string, Rest>): void {
  for (const id of resting.keys()) {
    resting.delete(id);
    return;
  }
}
