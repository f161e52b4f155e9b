import type { Failure } from "./failure.ts";
import { keepInBrowser } from "./keep-in-browser.ts";

/**
 * The browser holds no token: the session is a cookie that scripts cannot read. What is known here
 * is only that it ended while the page is open. Requests that fail for it wait until the person has
 * signed in again in a dialog over the page; nothing typed is lost.
 */

/** Refusals of the user's input, such as a wrong password. */
const NOT_OF_SESSION = ["credentials_wrong", "password_wrong", "code_invalid"];

/** The session is open, but the person has to prove again who they are. */
export const CONFIRMATION = "confirmation_required";

type Listener = (ended: boolean) => void;

let renewal:
  | { code: string; promise: Promise<boolean>; resolve: (renewed: boolean) => void }
  | undefined;
/** In `localStorage`: somebody has signed in with this browser, and not out again. */
const SIGNED_IN = "parlance.signed-in";

let isActive = false;
const listeners = new Set<Listener>();

/** Called once the page knows who is signed in. Before that a 401 is an answer, not an end. */
export function sessionStarted(): void {
  isActive = true;
  keepInBrowser(SIGNED_IN, "1");
  renewal?.resolve(true);
  renewal = undefined;
  for (const listener of listeners) listener(false);
}

/** Called when the user signs out, or declines to sign in again. */
export function sessionClosed(): void {
  // declining to prove who one is leaves the session open
  if (renewal?.code !== CONFIRMATION) {
    isActive = false;
    keepInBrowser(SIGNED_IN, undefined);
  }
  renewal?.resolve(false);
  renewal = undefined;
  for (const listener of listeners) listener(false);
}

/** Whether a session may be open, as far as this browser remembers. */
export const wasSignedIn = (): boolean => localStorage.getItem(SIGNED_IN) !== null;

/** @returns whether the session was renewed, so that the request may be sent again. */
export async function sessionEnded(
  failure: Failure,
  signal?: AbortSignal,
): Promise<boolean> {
  if (!isActive || NOT_OF_SESSION.includes(failure.code)) return false;
  if (!renewal) {
    renewal = { code: failure.code, ...Promise.withResolvers<boolean>() };
    for (const listener of listeners) listener(true);
  }
  const { promise: aborted, resolve: abort } = Promise.withResolvers<boolean>();
  const onAbort = () => abort(false);
  signal?.addEventListener("abort", onAbort, { once: true });
  const renewed = await Promise.race([renewal.promise, aborted]);
  signal?.removeEventListener("abort", onAbort);
  return renewed;
}

/** Whether the page waits for a new session; for `useSyncExternalStore`. */
export const sessionState = {
  subscribe(listener: Listener): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  isEnded: () => renewal !== undefined,
  /** Whether the session is open, and the person has to prove who they are. */
  asksForProof: () => renewal?.code === CONFIRMATION,
};
