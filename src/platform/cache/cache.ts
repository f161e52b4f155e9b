/** Storage for what may be lost: memory in one process, Redis or Valkey across several. */
export interface Cache extends AsyncDisposable {
  get(key: string): Promise<string | null>;
  /**
   * `origin`: who caused the entry. What a cache in memory has no more room for it takes from the
   * origins with the most entries of the kind, which is the key up to its first colon.
   */
  set(key: string, value: string, ttlMs: number, origin?: string): Promise<void>;
  /** Sets only when absent. @returns whether it was set. `origin` as for `set`. */
  add(key: string, value: string, ttlMs: number, origin?: string): Promise<boolean>;
  delete(key: string): Promise<void>;
  /**
   * Sends a message to the subscribers of every replica. Those of this process have heard it when
   * the call resolves, so that who made a change meets no cache without it.
   */
  publish(channel: string, message: string): Promise<void>;
  subscribe(channel: string, listener: (message: string) => void): Promise<AsyncDisposable>;
  /**
   * Appends to a log that readers follow. The log expires `ttlMs` after the last append. With
   * `begins` false, it appends to an existing log only: a reader must not take the rest of an
   * expired log for all of it. @returns whether it appended.
   */
  append(
    log: string,
    entries: string[],
    ttlMs: number,
    options: { begins: boolean },
  ): Promise<boolean>;
  /**
   * Reads the entries from index `from` (0-based), up to `limit`. @returns `null` when the log does
   * not exist.
   */
  read(log: string, from: number, limit?: number): Promise<string[] | null>;
  /** Absent where the logs are not in this process. */
  readonly logs?: LocalLogs;
  /**
   * Counts one point against a limit. While Redis is unavailable, each process counts by itself, so
   * a limit always holds.
   */
  take(limit: Limit, key: string): Promise<{ allowed: boolean; retryAfterMs: number }>;
  /** Returns a point that `take` counted. */
  giveBack(limit: Limit, key: string): Promise<void>;
  ping(): Promise<void>;
}

/** The logs of a cache in this process, without a promise for each word of a reply. */
export interface LocalLogs {
  /** As `append`, and publishes in the channel of the same name. */
  append(
    log: string,
    entries: string[],
    ttlMs: number,
    options: { begins: boolean },
  ): boolean;
  /** As `read`. */
  read(log: string, from: number, limit?: number): string[] | null;
}

export interface Limit {
  name: string;
  points: number;
  durationMs: number;
}
