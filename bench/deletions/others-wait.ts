import { measureWaits, type Waits } from "../waits.ts";
import type { Call } from "./deletion-steps.ts";

export interface WaitsDuring extends Waits {
  /** How long the work took. */
  seconds: number;
}

const PAUSE_MS = 50;

/** What somebody does while others delete: reads their list, a conversation, and renames it. */
export async function waitsDuring(
  call: Call,
  work: () => Promise<unknown>,
): Promise<WaitsDuring> {
  const { items } = (await (
    await call("GET", "/api/v1/conversation/chat-history")
  ).json()) as { items: { id: string }[] };
  const path = `/api/v1/conversation/${items[0]?.id}`;
  const requests = [
    () => call("GET", "/api/v1/conversation/chat-history"),
    () => call("GET", `${path}/messages`),
    () => call("PATCH", path, { title: `Renamed at ${Date.now()}` }),
    () => call("GET", "/healthz"),
  ] as const;
  const ended = new AbortController();
  const waits = measureWaits(
    (turn) => (requests[turn % requests.length] ?? requests[0])(),
    { pauseMs: PAUSE_MS, signal: ended.signal },
  );
  const began = performance.now();
  try {
    await work();
  } finally {
    ended.abort();
  }
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  return { seconds, ...(await waits) };
}
