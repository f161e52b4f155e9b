import sql from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import type { User } from "../../../platform/http/caller.ts";
import { Conflict } from "../../../platform/http/errors.ts";
import { findApplicableRule, IN_PROGRESS, lockOwnRun } from "./manage-runs.ts";
import { advanceRun } from "./step-store.ts";
import { CHANGES, lockRunsOfUser, refuseTooManyRuns } from "./store.ts";

/**
 * Runs what did not complete again: the reading of the medium, or the agents that failed, were
 * skipped or cancelled. Outputs so far stay.
 * @throws NotFound; Conflict while it runs, or if nothing is left to run; TooManyRequests.
 */
export async function retryRun(db: Database, user: User, id: string): Promise<void> {
  await db.tx(async () => {
    const run = await lockOwnRun(db, user, id);
    if (IN_PROGRESS.includes(run.status))
      throw new Conflict(
        "still_in_work",
        "The run is still in progress. Wait for its end, or cancel it first.",
      );
    await lockRunsOfUser(db, user.userId);
    await refuseTooManyRuns(db, user.userId);
    await findApplicableRule(db, run);
    const hasText = run.transcript !== null;
    if (!hasText && run.storageKey === null && run.input === null)
      throw new Conflict(
        "nothing_to_retry",
        "The medium of this run is gone. Send it again.",
      );
    const steps = await db.query(sql`update automations.steps
      set status = 'waiting', attempt = attempt + 1, attempt_started_at = null, failures = 0,
        losses = 0, claim = claim + 1, error = null, due_at = null, ended_at = null
      where run_id = ${id} and status in ('failed', 'skipped', 'cancelled') returning agent_id`);
    if (steps.length === 0)
      throw new Conflict(
        "nothing_to_retry",
        "Every agent of this run has completed. Run it again.",
      );
    await db.query(sql`update automations.runs set error = null, ended_at = null, tries = 0,
      status = ${hasText ? "running" : "reading"}, due_at = ${hasText ? sql`null` : sql`now()`}
      where id = ${id}`);
    if (hasText) await advanceRun(db, id);
    else await db.notify(CHANGES, id);
  });
}
