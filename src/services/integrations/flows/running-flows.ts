import { z } from "zod";
import type { Cache } from "../../../platform/cache/cache.ts";
import { Forbidden } from "../../../platform/http/errors.ts";

const CHANNEL = "integrations.flows-revoked";
const Revoked = z.object({ userIds: z.array(z.string()), flowId: z.string() });

/** The running flows of this process. A revocation ends them on every replica. */
export interface RunningFlows extends AsyncDisposable {
  /** Registers a run. Its signal aborts when the user loses the flow. */
  begin(userId: string, flowId: string): { signal: AbortSignal; end: () => void };
  /** Ends the runs of a revoked flow on every replica. */
  revoked(userIds: readonly string[], flowId: string): Promise<void>;
}

export async function createRunningFlows(cache: Cache): Promise<RunningFlows> {
  const running = new Map<string, Set<AbortController>>();
  const keyOf = (userId: string, flowId: string) => `${flowId} ${userId}`;
  const stop = (userIds: readonly string[], flowId: string) => {
    const reason = new Forbidden(
      "flow_revoked",
      "An administrator revoked this flow. Ask for it again.",
    );
    for (const userId of userIds)
      for (const run of running.get(keyOf(userId, flowId)) ?? []) run.abort(reason);
  };
  const subscription = await cache.subscribe(CHANNEL, (message) => {
    const parsed = Revoked.safeParse(JSON.parse(message));
    if (parsed.success) stop(parsed.data.userIds, parsed.data.flowId);
  });
  return {
    begin(userId, flowId) {
      const key = keyOf(userId, flowId);
      const run = new AbortController();
      const runs = running.get(key) ?? new Set();
      running.set(key, runs.add(run));
      return {
        signal: run.signal,
        end() {
          runs.delete(run);
          if (runs.size === 0 && running.get(key) === runs) running.delete(key);
        },
      };
    },
    async revoked(userIds, flowId) {
      stop(userIds, flowId);
      await cache.publish(CHANNEL, JSON.stringify({ userIds, flowId }));
    },
    [Symbol.asyncDispose]: () => Promise.resolve(subscription[Symbol.asyncDispose]()),
  };
}
