import { useEffect, useState } from "react";
import { toFailure } from "../api/failure.ts";
import { acquireLock, releaseLock } from "./queries.ts";

/** The maximum interval of renewals, for locks that last long. */
const MAX_RENEWAL_MS = 60_000;
const RETRY_MS = 5_000;

export type EditingLock =
  | { state: "asking" }
  /** Without a token: no lock protects the canvas, as outside of a conversation. */
  | { state: "held"; token?: number | undefined }
  | { state: "refused"; error: unknown };

/**
 * Holds the editing lock of a conversation while the component is mounted: takes it, renews it at a
 * third of its time, and releases it on leaving.
 */
export function useLock(conversationId: string | null): EditingLock {
  const [lock, setLock] = useState<EditingLock>(
    conversationId === null ? { state: "held" } : { state: "asking" },
  );
  useEffect(() => {
    if (conversationId === null) return undefined;
    let hasLeft = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // the time between taking and expiry grows with each renewal; the first one tells it
    let intervalMs = MAX_RENEWAL_MS;
    const leave = () => void releaseLock(conversationId).catch(() => {}); // it expires by itself
    const hold = async () => {
      const next = await tryToHold(conversationId);
      if (hasLeft) {
        if (next.lock.state === "held") leave();
        return;
      }
      setLock(next.lock);
      intervalMs = Math.min(intervalMs, next.againInMs);
      timer = setTimeout(() => void hold(), intervalMs);
    };
    void hold();
    window.addEventListener("pagehide", leave);
    return () => {
      hasLeft = true;
      clearTimeout(timer);
      window.removeEventListener("pagehide", leave);
      leave();
    };
  }, [conversationId]);
  return lock;
}

/** @returns the lock, and when to ask for it again: it lives three times as long. */
async function tryToHold(id: string): Promise<{ lock: EditingLock; againInMs: number }> {
  try {
    const { token, acquiredAt, expiresAt } = await acquireLock(id);
    const thirdMs = (Date.parse(expiresAt) - Date.parse(acquiredAt)) / 3;
    return { lock: { state: "held", token }, againInMs: thirdMs };
  } catch (error) {
    const { code, isTemporary } = toFailure(error);
    // whoever may write may do so without a lock; a version that is not the newest is refused
    const isOpen = !isTemporary && code !== "locked";
    return {
      lock: isOpen ? { state: "held" } : { state: "refused", error },
      againInMs: RETRY_MS,
    };
  }
}
