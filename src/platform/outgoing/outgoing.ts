import type { Dispatcher } from "undici";

/**
 * The only way out of the house: public addresses, or those the operator allows, never our own
 * listeners; redirects are not followed. Source: security rows 11-14.
 */
export interface Outgoing extends AsyncDisposable {
  /**
   * `fetch` through the guard, for SDKs that take a `fetch`. Redirects are answered as they come
   * (`redirect: "manual"`).
   */
  fetch: typeof globalThis.fetch;
  /** The guarded dispatcher, for `undici.request` on hot paths. */
  dispatcher: Dispatcher;
  /**
   * Throws `BadRequest("address_not_allowed")` when a URL can be refused before connecting: to be
   * called when one is saved.
   */
  check(url: string): void;
}
