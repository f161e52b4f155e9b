import { ApiError } from "../http/errors.ts";
import {
  type SentenceCode,
  type StoredFailure,
  toSentenceCode,
  toStoredFailure,
} from "../http/reported-error.ts";
import { within } from "../within.ts";

type Status = "ok" | "degraded" | "down";

/** What there is to say about a part, also about a healthy one. */
export type Detail = StoredFailure;

/** Thrown by the check of an optional part: the process is degraded, not down. */
export class Degraded extends Error {
  override name = "Degraded";
  readonly detail: Detail;

  constructor(detail: Detail) {
    super(detail.message);
    this.detail = detail;
  }
}

export interface Health {
  status: Status;
  checks: Record<
    string,
    { status: Status; latencyMs: number; detail?: string } & SentenceCode
  >;
}

/** What a stranger may know: whether it works. */
export function briefly(status: Status): "ok" | "down" {
  return status === "down" ? "down" : "ok";
}

/** Throws when the part is down or degraded. May return a detail about a healthy part. */
export type Check = () => Promise<Detail | void>;

/**
 * Runs all checks in parallel, each with a timeout. Details never contain an address or a secret.
 */
export async function checkHealth(
  checks: Record<string, Check>,
  timeoutMs = 2_000,
): Promise<Health> {
  const entries = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      const startedAt = performance.now();
      const { note, failure } = await within(timeoutMs, Promise.try(check)).then(
        (returned) => ({ note: returned, failure: undefined }),
        (error: unknown) => ({ note: undefined, failure: error }),
      );
      const latencyMs = Math.round(performance.now() - startedAt);
      if (failure === undefined)
        return [
          name,
          { status: "ok" as const, latencyMs, ...(note && toField(note)) },
        ] as const;
      const status =
        failure instanceof Degraded ? ("degraded" as const) : ("down" as const);
      return [name, { status, latencyMs, ...toField(detailOf(failure)) }] as const;
    }),
  );
  const states = entries.map(([, { status }]) => status);
  const worst = (["down", "degraded"] as const).find((state) => states.includes(state));
  const status = worst ?? "ok";
  return { status, checks: Object.fromEntries(entries) };
}

/** The reason for a failure. Foreign error messages are not repeated: they may hold secrets. */
export function detailOf(failure: unknown): Detail {
  if (failure instanceof Degraded) return failure.detail;
  if (failure instanceof ApiError) return toStoredFailure(failure);
  return { code: "part_silent", message: "does not answer" };
}

/** A detail as a state has it. */
export function toField(detail: Detail): { detail: string } & SentenceCode {
  return { detail: detail.message, ...toSentenceCode(detail) };
}

/** Records the parts whose last call failed, so that health needs no probes of its own. */
export interface RecentFailures {
  succeeded(name: string): void;
  failed(name: string, code: string): void;
  /** @throws Degraded with the name and code of each part that failed within `MAX_AGE_MS`. */
  check(): Promise<void>;
}

const MAX_AGE_MS = 5 * 60_000;
const MAX_NAMES = 100;

export function createRecentFailures(): RecentFailures {
  const failures = new Map<string, { code: string; at: number }>();
  return {
    succeeded: (name) => void failures.delete(name),
    failed(name, code) {
      // moves the entry to the end: the oldest comes first
      failures.delete(name);
      failures.set(name, { code, at: Date.now() });
      const [oldest] = failures.keys();
      if (failures.size > MAX_NAMES && oldest !== undefined) failures.delete(oldest);
    },
    async check() {
      const recent = [...failures].filter(([, { at }]) => Date.now() - at < MAX_AGE_MS);
      const names = recent.map(([name, { code }]) => `${name} (${code})`);
      if (names.length > 0)
        throw new Degraded({
          code: "last_call_failed",
          message: `The last call failed: ${names.join(", ")}.`,
          params: { names: names.join(", ") },
        });
    },
  };
}
