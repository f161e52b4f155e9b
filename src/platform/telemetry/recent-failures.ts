import { Degraded } from "./health.ts";

/** Parts whose last call failed. Calls that are made anyway tell health more than a probe could. */
export interface RecentFailures {
  succeeded(name: string): void;
  failed(name: string, code: string): void;
  /**
   * @throws Degraded with the names and codes of those whose last call failed in the last minutes.
   */
  check(): Promise<void>;
}

const KEPT_MS = 5 * 60_000;
const MAX_NAMES = 100;

export function createRecentFailures(): RecentFailures {
  const failures = new Map<string, { code: string; at: number }>();
  return {
    succeeded: (name) => void failures.delete(name),
    failed(name, code) {
      // the newest stands last
      failures.delete(name);
      failures.set(name, { code, at: Date.now() });
      const [oldest] = failures.keys();
      if (failures.size > MAX_NAMES && oldest !== undefined) failures.delete(oldest);
    },
    async check() {
      const recent = [...failures].filter(([, { at }]) => Date.now() - at < KEPT_MS);
      const names = recent.map(([name, { code }]) => `${name} (${code})`);
      if (names.length > 0) throw new Degraded(`The last call failed: ${names.join(", ")}.`);
    },
  };
}
