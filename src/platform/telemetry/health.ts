import { ApiError } from "../http/errors.ts";

type Status = "ok" | "degraded" | "down";

/** Thrown by the check of an optional part: the process is degraded, not down. */
export class Degraded extends Error {
  override name = "Degraded";
}

export interface Health {
  status: Status;
  checks: Record<string, { status: Status; latencyMs: number; detail?: string }>;
}

/** Throws when the part is down or degraded. May return a detail about a healthy part. */
export type Check = () => Promise<string | void>;

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
      const { note, failure } = await withTimeout(check, timeoutMs).then(
        (returned) => ({ note: returned, failure: undefined }),
        (error: unknown) => ({ note: undefined, failure: error }),
      );
      const latencyMs = Math.round(performance.now() - startedAt);
      if (failure === undefined)
        return [
          name,
          { status: "ok" as const, latencyMs, ...(note && { detail: note }) },
        ] as const;
      const status =
        failure instanceof Degraded ? ("degraded" as const) : ("down" as const);
      return [name, { status, latencyMs, detail: messageOf(failure) }] as const;
    }),
  );
  const states = entries.map(([, { status }]) => status);
  const status = states.includes("down")
    ? "down"
    : states.includes("degraded")
      ? "degraded"
      : "ok";
  return { status, checks: Object.fromEntries(entries) };
}

/** The reason for a failure. Foreign error messages are not repeated: they may hold secrets. */
export function messageOf(failure: unknown): string {
  const isOurs = failure instanceof ApiError || failure instanceof Degraded;
  return isOurs ? failure.message : "does not answer";
}

async function withTimeout(check: Check, timeoutMs: number): Promise<string | void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("timeout")), timeoutMs);
  });
  try {
    return await Promise.race([check(), late]);
  } finally {
    clearTimeout(timer);
  }
}
