import { setTimeout as sleep } from "node:timers/promises";
import type { Call } from "./deletion-steps.ts";

export interface Waits {
  seconds: number;
  p50: number;
  p99: number;
  longest: number;
  asked: number;
  failed: number;
}

const PAUSE_MS = 50;

/** What somebody does while others delete: reads their list, a conversation, and renames it. */
export async function waitsDuring(
  call: Call,
  work: () => Promise<unknown>,
): Promise<Waits> {
  const { items } = (await (
    await call("GET", "/api/v1/conversation/chat-history")
  ).json()) as { items: { id: string }[] };
  const path = `/api/v1/conversation/${items[0]?.id}`;
  const requests = [
    () => call("GET", "/api/v1/conversation/chat-history"),
    () => call("GET", `${path}/messages`),
    () => call("PATCH", path, { title: `Renamed at ${Date.now()}` }),
    () => call("GET", "/healthz"),
  ];
  const times: number[] = [];
  let failed = 0;
  const ended = new AbortController();
  const ask = async () => {
    for (let turn = 0; !ended.signal.aborted; turn += 1) {
      const start = performance.now();
      const answer = await requests[turn % requests.length]?.().catch(() => undefined);
      await answer?.arrayBuffer();
      times.push(performance.now() - start);
      if (!answer?.ok) failed += 1;
      await sleep(PAUSE_MS);
    }
  };
  const asking = ask();
  const began = performance.now();
  try {
    await work();
  } finally {
    ended.abort();
  }
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  await asking;
  times.sort((one, two) => one - two);
  const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0);
  const longest = Math.round(times.at(-1) ?? 0);
  return { seconds, p50: at(0.5), p99: at(0.99), longest, asked: times.length, failed };
}
