/** What may be lost: memory in one process, Redis or Valkey across several. */
export interface Cache extends AsyncDisposable {
  get(key: string): Promise<string | null>;
  set(key: string, value: string, ttlMs: number): Promise<void>;
  /** Sets only when absent. @returns whether it was set. */
  add(key: string, value: string, ttlMs: number): Promise<boolean>;
  delete(key: string): Promise<void>;
  /** Tells every replica. */
  publish(channel: string, message: string): Promise<void>;
  subscribe(channel: string, listener: (message: string) => void): Promise<AsyncDisposable>;
  /**
   * Appends to a log that others can follow; the log goes `ttlMs` after the last append. @returns
   * false, and appends nothing, where the log that these entries do not begin is gone: nobody may
   * take its rest for the whole.
   */
  append(
    log: string,
    entries: string[],
    ttlMs: number,
    options: { begins: boolean },
  ): Promise<boolean>;
  /**
   * Entries from index `from` (0-based) that exist now, `most` of them at most. `null` when the log
   * does not exist.
   */
  read(log: string, from: number, most?: number): Promise<string[] | null>;
  /**
   * Counts one against a limit. Falls back to a limit of this process when Redis is down: never
   * open.
   */
  take(limit: Limit, key: string): Promise<{ allowed: boolean; retryAfterMs: number }>;
  /** Takes back what was counted with `take`. */
  giveBack(limit: Limit, key: string): Promise<void>;
  ping(): Promise<void>;
}

export interface Limit {
  name: string;
  points: number;
  durationMs: number;
}
