import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import type { Files } from "../../../platform/files/files.ts";
import type { Fetch } from "../../../platform/http/call.ts";
import type { User } from "../../../platform/http/caller.ts";
import { Conflict, NotFound } from "../../../platform/http/errors.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import type { Rule } from "../contract.ts";
import type { AcceptedMedium } from "../contract-runs.ts";
import { appliesTo } from "../rule-access.ts";
import { findRule } from "../store.ts";
import { type NewStep, toSteps } from "./plan-steps.ts";
import { advanceRun } from "./step-store.ts";
import {
  CHANGES,
  endRun,
  findRun,
  insertRun,
  lockRunsOfUser,
  refuseTooManyRuns,
  type StoredRun,
} from "./store.ts";
import { stopReply } from "./work-step.ts";

interface Deps {
  db: Database;
  files: Files;
  core: Fetch;
  log: Logger;
}

const IN_PROGRESS = ["reading", "running"];

/**
 * Cancels a run at once. Workers that hold a step of it can no longer write.
 * @throws NotFound; Conflict if it has ended.
 */
export async function cancelRun(
  { db, core, log }: Deps,
  user: User,
  id: string,
): Promise<void> {
  const conversationIds = await db.tx(async () => {
    const run = await lockOwnRun(db, user, id);
    if (!IN_PROGRESS.includes(run.status))
      throw new Conflict("not_in_work", "The run has already ended. Read its result.");
    const rows = await db.query<{ conversationId: string | null }>(sql`with open as (
        select run_id, agent_id, status from automations.steps
          where run_id = ${id} and status in ('waiting', 'ready', 'running', 'approval') for update)
      update automations.steps s set status = 'cancelled', due_at = null, ended_at = now() from open
      where s.run_id = open.run_id and s.agent_id = open.agent_id
      returning case when open.status in ('running', 'approval') then s.conversation_id
      end as "conversationId"`);
    await endRun(db, id, "cancelled");
    await db.notify(CHANGES, id);
    return rows.flatMap(({ conversationId }) => conversationId ?? []);
  });
  await Promise.all(
    conversationIds.map((conversationId) =>
      stopReply(core, user.userId, conversationId).catch((error: unknown) =>
        log.warn(
          { err: error, conversation: conversationId },
          "stopping the reply of a cancelled agent failed",
        ),
      ),
    ),
  );
}

/**
 * Starts a new run of the same medium. It reuses the transcript if there is one.
 * @throws NotFound, Conflict.
 */
export async function rerun({ db }: Deps, user: User, id: string): Promise<AcceptedMedium> {
  return db.tx(async () => {
    const run = await lockEndedRun(db, user, id);
    const { steps, makerId } = await planAgain(db, run);
    if (
      steps.length === 0 ||
      (run.transcript === null && run.storageKey === null && run.input === null)
    )
      throw new Conflict(
        "nothing_to_run",
        "No rule matched this medium, so it was not stored. Send it again.",
      );
    const hasTranscript = run.transcript !== null;
    const nextRun = {
      ...run,
      makerId,
      id: uuidv7(),
      sourceId: run.sourceId ?? undefined,
      scheduleId: run.scheduleId ?? undefined,
      rerunOf: id,
      status: hasTranscript ? ("running" as const) : ("reading" as const),
    };
    // the new run takes over the bytes and deletes them after reading
    await db.query(sql`update automations.runs set storage_key = null where id = ${id}`);
    await insertRun(db, nextRun, steps);
    if (hasTranscript) await advanceRun(db, nextRun.id);
    return { runId: nextRun.id, ruleId: run.ruleId };
  });
}

/**
 * Runs what did not complete again: the reading of the medium, or the agents that failed, were
 * skipped or cancelled. Outputs so far stay.
 * @throws NotFound; Conflict while it runs, or if nothing is left to run; TooManyRequests.
 */
export async function retryRun(db: Database, user: User, id: string): Promise<void> {
  await db.tx(async () => {
    const run = await lockEndedRun(db, user, id);
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

/** Deletes a run that has ended. @throws NotFound, Conflict. */
export async function removeRun(
  { db, files }: Deps,
  user: User,
  id: string,
): Promise<void> {
  const key = await db.tx(async () => {
    const run = await lockEndedRun(db, user, id);
    await db.query(sql`delete from automations.runs where id = ${id}`);
    return run.storageKey;
  });
  if (key !== null) await files.delete(key);
}

export function runNotFound(): NotFound {
  return new NotFound(
    "run_not_found",
    "You have no such run. GET /api/automations/runs lists yours.",
  );
}

async function lockOwnRun(db: Database, user: User, id: string): Promise<StoredRun> {
  const run = await findRun(db, id, { locked: true });
  if (run?.userId !== user.userId) throw runNotFound();
  return run;
}

/** @throws NotFound; Conflict `still_in_work`. */
async function lockEndedRun(db: Database, user: User, id: string): Promise<StoredRun> {
  const run = await lockOwnRun(db, user, id);
  if (IN_PROGRESS.includes(run.status))
    throw new Conflict(
      "still_in_work",
      "The run is still in progress. Wait for its end, or cancel it first.",
    );
  return run;
}

/**
 * The rule of a run; undefined if it was deleted, or a schedule started the run.
 * @throws Conflict if the rule no longer matches the user's media.
 */
async function findApplicableRule(db: Database, run: StoredRun): Promise<Rule | undefined> {
  const rule =
    run.ruleId === null ? undefined : await findRule(db, run.clientId, run.ruleId);
  if (rule && !appliesTo(rule, run))
    throw new Conflict(
      "rule_not_yours",
      "The rule of this run no longer matches your media. Send the medium again.",
    );
  return rule;
}

/**
 * The rule's current agents; the agents of the previous run if the rule was deleted.
 * @throws Conflict if the rule no longer matches the user's media.
 */
async function planAgain(
  db: Database,
  run: StoredRun,
): Promise<{ steps: NewStep[]; makerId: string | null }> {
  const rule = await findApplicableRule(db, run);
  if (rule) return { steps: toSteps(rule.agents), makerId: rule.user_id };
  const steps =
    await db.query<NewStep>(sql`select agent_id as "agentId", position, priority,
      timeout_ms as "timeoutMs", retry_count as "retryCount", depends_on as "dependsOn"
    from automations.steps where run_id = ${run.id} order by position`);
  return { steps, makerId: run.makerId };
}
