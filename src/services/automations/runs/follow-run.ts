import type { Database } from "../../../platform/db/database.ts";
import { NotFound } from "../../../platform/http/errors.ts";
import { openSubscription } from "../../../platform/subscription.ts";
import type { Run, RunEvent } from "../contract-runs.ts";
import { CHANGES } from "./store.ts";

/** A reader looks by itself this often: a wake-up may be lost. */
const LOOK_MS = 1_500;

/**
 * A run and its agents, first as they are and then as they change; ends with the run.
 * @param read the run as whoever follows may see it.
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
      everyMs: LOOK_MS,
      signal,
    },
  );
  const told = new Map<string, string>();
  while (!signal.aborted) {
    const run = await stillThere(read);
    if (!run) return;
    const fresh = eventsOf(run).filter((event) => {
      const key = event.type === "agent" ? event.agentId : "";
      const now = JSON.stringify(event);
      if (told.get(key) === now) return false;
      told.set(key, now);
      return true;
    });
    if (fresh.length > 0) yield fresh;
    if (run.endedAt !== null) return;
    await changes.next();
  }
}

/** The agents first, so that a run that has ended is the last event. */
function eventsOf({ status, error, agents }: Run): RunEvent[] {
  return [
    ...agents.map(
      ({ agentId, status: state, tries, conversationId, output, error: reason }): RunEvent => {
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

/** Nothing for a run that was forgotten, or became another's, meanwhile. */
async function stillThere(read: () => Promise<Run>): Promise<Run | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}
