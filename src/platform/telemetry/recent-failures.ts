import { Degraded } from "./health.ts";

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
