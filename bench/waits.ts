import { setTimeout as sleep } from "node:timers/promises";
import { percentile } from "./streams.ts";

/** How long requests waited for their answers, in ms. */
export interface Waits {
  p50: number;
  p99: number;
  longest: number;
  asked: number;
  failed: number;
}

interface Pace {
  pauseMs: number;
  signal: AbortSignal;
}

/** Sends one request after another, until the signal aborts. */
export async function measureWaits(
  ask: (turn: number) => Promise<Response>,
  { pauseMs, signal }: Pace,
): Promise<Waits> {
  const times: number[] = [];
  let failed = 0;
  for (let turn = 0; !signal.aborted; turn += 1) {
    const start = performance.now();
    const answer = await ask(turn).catch(() => undefined);
    await answer?.arrayBuffer();
    times.push(performance.now() - start);
    if (!answer?.ok) failed += 1;
    await sleep(pauseMs);
  }
  return {
    p50: Math.round(percentile(times, 50)),
    p99: Math.round(percentile(times, 99)),
    longest: Math.round(Math.max(...times)),
    asked: times.length,
    failed,
  };
}
