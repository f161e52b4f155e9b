import type { Dispatcher } from "undici";

/**
 * Makes all outgoing calls. It reaches public addresses and those that the operator allows, never
 * our own listeners, and follows no redirects: docs/security.md.
 */
export interface Outgoing extends AsyncDisposable {
  /**
   * A guarded `fetch`, also for SDKs that take one. It returns redirects as they are
   * (`redirect: "manual"`).
   */
  fetch: typeof globalThis.fetch;
  /** The guarded dispatcher, for `undici.request` on hot paths. */
  dispatcher: Dispatcher;
  /**
   * Checks a URL without connecting. Call it before one is saved.
   * @throws BadRequest `address_not_allowed`.
   */
  check(url: string): void;
}
