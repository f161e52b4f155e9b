import { type BrowserEvent, serverContract } from "../../../src/server/contract.ts";
import { toFailure } from "./failure.ts";
import { stream } from "./stream.ts";

const NAME = "parlance.events";
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
/** The server takes no more, and answers a minute with `resync` already. */
const MAX_UNSEEN_MS = 86_400_000;

/**
 * Receives changes on the server, until the signal aborts. One tab of the browser holds the
 * connection and tells the others; when it closes another takes over.
 * @param begunAt when the page began to read what it shows, by `performance.now()`.
 */
export function followEvents(
  onEvent: (event: BrowserEvent) => void,
  { begunAt, signal }: { begunAt: number; signal: AbortSignal },
): void {
  const channel = new BroadcastChannel(NAME);
  channel.addEventListener("message", ({ data }: MessageEvent<BrowserEvent>) =>
    onEvent(data),
  );
  signal.addEventListener("abort", () => channel.close());
  const lead = () =>
    readEvents(
      (event) => {
        onEvent(event);
        channel.postMessage(event);
      },
      { begunAt, signal },
    );
  const { locks } = navigator as { locks?: LockManager }; // missing over plain HTTP
  const leading = locks ? locks.request(NAME, { signal }, lead) : lead();
  leading.catch(() => {}); // aborted while it waited
}

/**
 * After a connection was lost all may have changed: `ready` becomes `resync`. Before the first one
 * the server says whether something has, also to a tab that takes over from another.
 */
async function readEvents(
  onEvent: (event: BrowserEvent) => void,
  { begunAt, signal }: { begunAt: number; signal: AbortSignal },
): Promise<void> {
  let isLate = false;
  let lastEventId: string | undefined;
  let pauseMs = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    const headers: Record<string, string> = lastEventId
      ? { "last-event-id": lastEventId }
      : {};
    const sinceBegun = Math.ceil(performance.now() - begunAt);
    const query = { unseenForMs: Math.min(MAX_UNSEEN_MS, sinceBegun) };
    try {
      for await (const batch of stream(
        serverContract.events,
        { query },
        { headers, signal },
      )) {
        pauseMs = FIRST_PAUSE_MS;
        for (const { event, id } of batch) {
          lastEventId = id ?? lastEventId;
          onEvent(isLate && event.type === "ready" ? { type: "resync" } : event);
        }
      }
    } catch (error) {
      if (!toFailure(error).isTemporary) return;
    }
    isLate = true;
    await pause(pauseMs, signal);
    pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2);
  }
}

async function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = () => resolve();
  const timer = setTimeout(done, durationMs);
  signal.addEventListener("abort", done, { once: true });
  window.addEventListener("online", done, { once: true });
  await promise;
  clearTimeout(timer);
  signal.removeEventListener("abort", done);
  window.removeEventListener("online", done);
}
