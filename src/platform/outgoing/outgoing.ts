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

/**
 * The same for servers whose addresses administrators enter: providers and tool servers. It also
 * reaches the private targets that they allowed.
 */
export interface Endpoints extends Outgoing {
  /** Reads again which targets are allowed. */
  refresh(): Promise<void>;
  /**
   * Says why administrators may not allow a target; `undefined`: they may.
   * @param target `host:port`
   */
  explainRefusal(target: string): GrantRefusal | undefined;
  /** The same calls with these targets allowed as well. Dispose it after use. */
  allowing(targets: readonly string[]): Outgoing;
  /**
   * The same calls, with no private target of administrators but those of these URLs: for addresses
   * that another server names. Dispose it after use.
   */
  only(urls: readonly string[]): Outgoing;
}

/**
 * - `off`: the operator does not let administrators allow addresses
 * - `malformed`: no host with a port
 * - `reserved`: it may belong to a cloud's metadata, or is this server itself
 * - `public`: it needs no permission
 */
export type GrantRefusal = "off" | "malformed" | "reserved" | "public";
