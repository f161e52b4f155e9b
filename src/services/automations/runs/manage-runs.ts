import sql from "sql-template-tag";
import { uuidv7 } from "uuidv7";
import type { Database } from "../../../platform/db/database.ts";
import type { Files } from "../../../platform/files/files.ts";
import type { Fetch } from "../../../platform/http/call.ts";
import type { User } from "../../../platform/http/caller.ts";
import { Conflict, NotFound } from "../../../platform/http/errors.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import type { Taken } from "../contract-runs.ts";
import { appliesTo } from "../rule-access.ts";
import { findRule } from "../store.ts";
import { type NewStep, stepsOf } from "./plan-steps.ts";
import { advanceRun } from "./step-store.ts";
import { CHANGES, endRun, findRun, insertRun, type StoredRun } from "./store.ts";
import { stopReply } from "./work-step.ts";

interface Deps {
  db: Database;
  files: Files;
  core: Fetch;
  log: Logger;
}

const IN_WORK = ["reading", "running"];

/**
 * Ends a run at once: workers that hold a step of it write no more.
 * @throws NotFound, Conflict when it has ended.
 */
export async function cancelRun({ db, core, log }: Deps, user: User, id: string): Promise<void> {
  const running = await db.tx(async () => {
    const run = await lockOwn(db, user, id);
    if (!IN_WORK.includes(run.status))
      throw new Conflict("not_in_work", "The run has ended already.");
    const rows = await db.query<{ conversationId: string | null }>(sql`with open as (
        select run_id, agent_id, status from automations.steps where run_id = ${id} and status in ('waiting', 'ready', 'running', 'approval') for update)
      update automations.steps s set status = 'cancelled', due_at = null, ended_at = now() from open
      where s.run_id = open.run_id and s.agent_id = open.agent_id
      returning case when open.status in ('running', 'approval') then s.conversation_id end as "conversationId"`);
    await endRun(db, id, "cancelled");
    await db.notify(CHANGES, id);
    return rows.flatMap(({ conversationId }) => conversationId ?? []);
  });
  await Promise.all(
    running.map((conversationId) =>
      stopReply(core, user.userId, conversationId).catch((error: unknown) =>
        log.warn(
          { err: error, conversation: conversationId },
          "a cancelled agent's reply could not be stopped",
        ),
      ),
    ),
  );
}

/**
 * A new run of the same medium: its words are taken over where they were found.
 * @throws NotFound, Conflict.
 */
export async function rerun({ db }: Deps, user: User, id: string): Promise<Taken> {
  return db.tx(async () => {
    const run = await lockOwn(db, user, id);
    if (IN_WORK.includes(run.status))
      throw new Conflict("still_in_work", "The run goes on. Wait for its end, or cancel it first.");
    const { steps, makerId } = await stepsAgain(db, run);
    if (
      steps.length === 0 ||
      (run.transcript === null && run.storageKey === null && run.input === null)
    )
      throw new Conflict(
        "nothing_to_run",
        "No rule took this medium, and its bytes are not kept. Send it again.",
      );
    const read = run.transcript !== null;
    const again = {
      ...run,
      makerId,
      id: uuidv7(),
      sourceId: run.sourceId ?? undefined,
      scheduleId: run.scheduleId ?? undefined,
      rerunOf: id,
      status: read ? ("running" as const) : ("reading" as const),
    };
    // the bytes go along: they are deleted with the run that reads them
    await db.query(sql`update automations.runs set storage_key = null where id = ${id}`);
    await insertRun(db, again, steps);
    if (read) await advanceRun(db, again.id);
    return { runId: again.id, ruleId: run.ruleId };
  });
}

/** @throws NotFound, Conflict while it goes on. */
export async function removeRun({ db, files }: Deps, user: User, id: string): Promise<void> {
  const key = await db.tx(async () => {
    const run = await lockOwn(db, user, id);
    if (IN_WORK.includes(run.status))
      throw new Conflict("still_in_work", "The run goes on. Wait for its end, or cancel it first.");
    await db.query(sql`delete from automations.runs where id = ${id}`);
    return run.storageKey;
  });
  if (key !== null) await files.delete(key);
}

export function runNotFound(): NotFound {
  return new NotFound("run_not_found", "There is no such run of yours.");
}

async function lockOwn(db: Database, user: User, id: string): Promise<StoredRun> {
  const run = await findRun(db, id, { locked: true });
  if (run?.userId !== user.userId) throw runNotFound();
  return run;
}

/**
 * As the rule names its agents now; where it is gone, as they were.
 * @throws Conflict for a rule that takes the user's media no more.
 */
async function stepsAgain(
  db: Database,
  run: StoredRun,
): Promise<{ steps: NewStep[]; makerId: string | null }> {
  const rule = run.ruleId === null ? undefined : await findRule(db, run.clientId, run.ruleId);
  if (rule && !appliesTo(rule, run))
    throw new Conflict(
      "rule_not_yours",
      "The rule of this run does not take your media any more. Send the medium again.",
    );
  if (rule) return { steps: stepsOf(rule.agents), makerId: rule.user_id };
  const steps = await db.query<NewStep>(sql`select agent_id as "agentId", position, priority,
      timeout_ms as "timeoutMs", retry_count as "retryCount", depends_on as "dependsOn"
    from automations.steps where run_id = ${run.id} order by position`);
  return { steps, makerId: run.makerId };
}
