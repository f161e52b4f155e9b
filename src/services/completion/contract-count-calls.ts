import { setTimeout as sleep } from "node:timers/promises";
import { uuidv7 } from "uuidv7";
import type { StoredFailure } from "../../platform/http/reported-error.ts";
import {
  type CallFailure,
  type CallOutcome,
  MAX_COUNTS_PER_MESSAGE,
  PROVIDER_CALLS_QUEUE,
  type ProviderCalls,
} from "./contract-provider-calls.ts";

/** Counts how the calls of this process to providers end. Each service that calls them has one. */
export interface CallCounts extends AsyncDisposable {
  /** @param firstTokenMs absent where the answer came as a whole. */
  answered(provider: string, firstTokenMs?: number): void;
  failed(provider: string, how: CallFailure, failure: StoredFailure): void;
  /** Sends core the counts that changed. What the queue refuses goes with the next run. */
  publish(): Promise<void>;
}

interface Deps {
  queue: { publish(queue: string, data: unknown): Promise<void> };
  log: { warn(details: object, message: string): void };
  /** The time in milliseconds. */
  now?: () => number;
}

interface Kept {
  count: ProviderCalls["counts"][number];
  /** How many of its calls core knows of. */
  published: number;
}

const HOUR_MS = 3_600_000;
const PUBLISH_INTERVAL_MS = 10_000;
const MAX_KEPT = 2_000;
const MAX_SENTENCE_CHARACTERS = 500;
/** The stop of the process waits no longer for the last counts. */
const MAX_LAST_WAIT_MS = 2_000;

export function countCalls({ queue, log, now = Date.now }: Deps): CallCounts {
  const source = uuidv7();
  // of this hour, and of earlier ones whose last counts are not sent yet
  const kept = new Map<string, Kept>();
  const currentHour = () => Math.floor(now() / HOUR_MS) * HOUR_MS;

  function add(provider: string, outcome: CallOutcome): Kept["count"] | undefined {
    const hour = currentHour();
    const key = `${hour} ${outcome} ${provider}`;
    const one = kept.get(key) ?? { count: newCount(provider, hour, outcome), published: 0 };
    if (!kept.has(key) && kept.size >= MAX_KEPT) return undefined;
    kept.set(key, one);
    one.count.calls += 1;
    one.count.lastAt = new Date(now()).toISOString();
    return one.count;
  }

  async function publish(): Promise<void> {
    const changed = [...kept.values()].filter(
      ({ count, published }) => count.calls > published,
    );
    for (let from = 0; from < changed.length; from += MAX_COUNTS_PER_MESSAGE) {
      const part = changed.slice(from, from + MAX_COUNTS_PER_MESSAGE);
      const counts = part.map(({ count }) => ({ ...count }));
      await queue.publish(PROVIDER_CALLS_QUEUE, { source, counts } satisfies ProviderCalls);
      for (const [at, one] of part.entries()) one.published = counts[at]?.calls ?? 0;
    }
    for (const [key, { count, published }] of kept)
      if (count.calls === published && Date.parse(count.hour) < currentHour())
        kept.delete(key);
  }

  return {
    answered(provider, firstTokenMs) {
      const count = add(provider, "answered");
      if (!count || firstTokenMs === undefined) return;
      count.begun += 1;
      count.firstTokenMs += Math.round(firstTokenMs);
    },
    failed(provider, how, { code, message, params }) {
      const count = add(provider, how);
      if (!count) return;
      const sentence = message.slice(0, MAX_SENTENCE_CHARACTERS);
      count.lastFailure = { code, message: sentence, ...(params && { params }) };
    },
    publish,
    async [Symbol.asyncDispose]() {
      const last = publish().catch((error: unknown) =>
        log.warn({ err: error }, "the last counts of calls to providers are lost"),
      );
      await Promise.race([last, sleep(MAX_LAST_WAIT_MS, undefined, { ref: false })]);
    },
  };
}

function newCount(provider: string, hour: number, outcome: CallOutcome): Kept["count"] {
  const time = new Date(hour).toISOString();
  return {
    provider,
    hour: time,
    outcome,
    calls: 0,
    begun: 0,
    firstTokenMs: 0,
    lastAt: time,
  };
}

/** A job. Never on the way of a call: a process that is killed loses the counts of one interval. */
export function publishCalls(counts: Pick<CallCounts, "publish">) {
  return {
    name: "publish-provider-calls",
    intervalMs: PUBLISH_INTERVAL_MS,
    replicas: "each",
    onFailure:
      "the health of providers lacks the last calls until the next run. Check the queue.",
    run: () => counts.publish(),
  } as const;
}
