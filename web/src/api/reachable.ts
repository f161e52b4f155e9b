/** How long a server may be away before the page says so, as when it is restarted. */
const FIRST_PAUSE_MS = 1_500;
const PAUSE_MS = 3_000;
const TIMEOUT_MS = 10_000;
/** What a proxy says while the server behind it is away. */
const AWAY = [502, 503, 504];

const NAME = "parlance.server-away";

let isAway = false;
let asking: Promise<void> | undefined;
const listeners = new Set<() => void>();
/** A tab that asks for nothing learns of it from the one that does. */
let tabs: BroadcastChannel | undefined;

/** Whether the server has not answered for a while. */
export const isServerAway = (): boolean => isAway;

/** @returns what stops listening. */
export function onServerAway(listener: () => void): () => void {
  listeners.add(listener);
  if (!tabs) {
    tabs = new BroadcastChannel(NAME);
    tabs.addEventListener("message", () => void untilServerAnswers());
  }
  return () => void listeners.delete(listener);
}

/** Call it when a request got no answer: the server is asked until it answers. */
export function untilServerAnswers(): Promise<void> {
  asking ??= ask().finally(() => (asking = undefined));
  return asking;
}

async function ask(): Promise<void> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = PAUSE_MS) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const isBack = await answers();
    if (isAway === isBack) {
      isAway = !isBack;
      if (isAway) tabs?.postMessage(null);
      for (const listener of listeners) listener();
    }
    if (isBack) return;
  }
}

async function answers(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const { status } = await fetch("/healthz", { signal, cache: "no-store" });
    return !AWAY.includes(status);
  } catch {
    return false;
  }
}
