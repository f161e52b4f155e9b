import type { Database } from "../../../platform/db/database.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import { openSubscription } from "../../../platform/subscription.ts";
import type { Run, RunEvent } from "../contract-runs.ts";
import { CHANGES } from "./store.ts";

/** The run is also read this often, in case a notification is lost. */
const POLL_INTERVAL_MS = 1_500;

/**
 * Yields the state of a run and its agents, then their changes, until the run ends.
 * @param read reads the run with the access of the caller.
 */
export async function* followRun(
  db: Database,
  id: string,
  read: () => Promise<Run>,
  signal: AbortSignal,
): AsyncGenerator<RunEvent[]> {
  await using changes = await openSubscription(
    (tell) => db.listen(CHANGES, (which) => which === id && tell()),
    {
      everyMs: POLL_INTERVAL_MS,
      signal,
    },
  );
  const sent = new Map<string, string>();
  while (!signal.aborted) {
    const run = await readIfPresent(read);
    if (!run) return;
    const changed = toEvents(run).filter((event) => {
      const key = event.type === "agent" ? event.agentId : "";
      const current = JSON.stringify(event);
      if (sent.get(key) === current) return false;
      sent.set(key, current);
      return true;
    });
    if (changed.length > 0) yield changed;
    if (run.endedAt !== null) return;
    await changes.next();
  }
}

/** The run comes last, so that its end is the last event. */
function toEvents({ status, error, agents }: Run): RunEvent[] {
  return [
    ...agents.map(
      ({
        agentId,
        status: state,
        tries,
        conversationId,
        output,
        error: reason,
      }): RunEvent => {
        return {
          type: "agent",
          agentId,
          status: state,
          tries,
          conversationId,
          output,
          error: reason,
        };
      },
    ),
    { type: "run", status, error },
  ];
}

/** The run; undefined if it was deleted or transferred in the meantime. */
async function readIfPresent(read: () => Promise<Run>): Promise<Run | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}
