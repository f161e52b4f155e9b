import { createHash } from "node:crypto";
import sql, { type Sql } from "sql-template-tag";
import type { Room } from "../../../platform/background/work-loop.ts";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb, storable } from "../../../platform/db/jsonb.ts";
import type { AgentRun } from "../../core/contract-runs.ts";
import type { RunError } from "../contract-runs.ts";
import { lockFairly } from "../claim-fairly.ts";
import { hasEnded, type PlannedStep, planSteps } from "./plan-steps.ts";
import { CHANGES, endRun, findRun } from "./store.ts";

/** A step that a worker has claimed. */
export interface HeldStep {
  runId: string;
  userId: string;
  agentId: string;
  claim: number;
  attempt: number;
  failures: number;
  losses: number;
  retryCount: number;
  timeoutMs: number;
  /** Time that the attempt has taken so far. */
  spentMs: number;
  /** Whether it waits for the user to decide on a tool call. */
  approval: boolean;
  dependsOn: string[];
}

const LEASE = sql`interval '30 seconds'`;

const IS_OPEN = sql`status in ('ready', 'running', 'approval')`;

/** Claims steps that are due, or whose lease expired. A step has at most one worker. */
export async function takeSteps(db: Database, room: Room): Promise<HeldStep[]> {
  return db.query<HeldStep>(sql`update automations.steps s
    set status = case s.status when 'approval' then 'approval' else 'running' end,
      claim = s.claim + 1, losses = s.losses + (s.status = 'running')::int,
      due_at = now() + ${LEASE}, started_at = coalesce(s.started_at, now()),
      attempt_started_at = coalesce(s.attempt_started_at, now())
    from (${lockFairly(sql`automations.steps`, IS_OPEN, room)}) due
    where s.ctid = due.ctid
    returning s.run_id as "runId", s.user_id as "userId", s.agent_id as "agentId", s.claim,
      s.attempt, s.failures, s.losses, s.retry_count as "retryCount", s.timeout_ms as "timeoutMs",
      (extract(epoch from now() - s.attempt_started_at) * 1000)::float8 as "spentMs",
      s.status = 'approval' as approval, s.depends_on as "dependsOn"`);
}

/** Renews leases. @returns the indexes of the steps that are still held. */
export async function renewSteps(db: Database, steps: readonly HeldStep[]): Promise<Set<number>> {
  const claims = steps.map(({ runId, agentId, claim }, at) => ({ runId, agentId, claim, at }));
  const rows = await db.query<{
    at: number;
  }>(sql`update automations.steps s set due_at = now() + ${LEASE}
    from jsonb_to_recordset(${jsonb(claims)})
      as h ("runId" uuid, "agentId" uuid, claim int, at int)
    where s.run_id = h."runId" and s.agent_id = h."agentId" and s.claim = h.claim
    and s.status in ('running', 'approval') returning h.at`);
  return new Set(rows.map(({ at }) => at));
}

/** Releases a step that is not finished, so that another worker can continue at once. */
export async function releaseStep(db: Database, step: HeldStep): Promise<void> {
  await updateHeld(
    db,
    step,
    sql`status = case status when 'running' then 'ready' else status end, due_at = now(),
      claim = claim + 1`,
  );
}

/** Stores the conversation of the agent's reply. @returns whether the step is still held. */
export async function saveConversation(
  db: Database,
  step: HeldStep,
  at: AgentRun,
): Promise<boolean> {
  return updateHeld(
    db,
    step,
    sql`conversation_id = ${at.conversationId},
    message_id = ${at.messageId}`,
    {
      tell: true,
    },
  );
}

/** Stores that a tool call waits for the user, and when to look again. */
export async function saveApproval(db: Database, step: HeldStep, lookMs: number): Promise<void> {
  await updateHeld(
    db,
    step,
    sql`status = 'approval', due_at = ${afterMs(lookMs)},
    claim = claim + 1`,
    {
      tell: true,
    },
  );
}

/** Schedules another attempt with a new key, after a failure or the end of a process. */
export async function saveRetry(
  db: Database,
  step: HeldStep,
  { error, waitMs, counts }: { error: RunError; waitMs: number; counts: "failure" | "loss" },
): Promise<void> {
  const counter = counts === "failure" ? sql`failures = failures + 1` : sql`losses = losses + 1`;
  await updateHeld(
    db,
    step,
    sql`status = 'ready', due_at = ${afterMs(waitMs)}, attempt = attempt + 1,
      attempt_started_at = null, error = ${jsonb(error)}, ${counter}`,
    { tell: true },
  );
}

/** Schedules the same attempt again, because core had no capacity. */
export async function saveDelay(db: Database, step: HeldStep, waitMs: number): Promise<void> {
  await updateHeld(
    db,
    step,
    sql`status = 'ready', due_at = ${afterMs(waitMs)},
    attempt_started_at = null`,
  );
}

export type StepEnd = { output: string; usage: AgentRun["usage"] } | { error: RunError };

/** Ends a step and starts what depends on it. Does nothing if the step is no longer held. */
export async function saveEnd(db: Database, step: HeldStep, end: StepEnd): Promise<void> {
  await db.tx(async () => {
    await findRun(db, step.runId, { locked: true });
    const set =
      "error" in end
        ? sql`status = 'failed', error = ${jsonb(end.error)}`
        : sql`status = 'completed', output = ${storable(end.output)},
          output_hash = ${hashText(end.output)}, usage = ${jsonb(end.usage)}, error = null`;
    if (await updateHeld(db, step, sql`${set}, due_at = null, ended_at = now()`))
      await advanceRun(db, step.runId);
  });
}

/**
 * Starts and skips steps as planned, and ends the run after its last step. The caller holds the
 * run's lock.
 */
export async function advanceRun(db: Database, runId: string): Promise<void> {
  const steps = await db.query<PlannedStep>(
    sql`select agent_id as "agentId", priority, depends_on as "dependsOn", status
      from automations.steps where run_id = ${runId}`,
  );
  const { begin, skip } = planSteps(steps);
  const error = {
    code: "dependency_failed",
    message: "An agent that it depends on did not complete.",
  };
  if (skip.length > 0)
    await db.query(sql`update automations.steps
      set status = 'skipped', error = ${jsonb(error)}, ended_at = now()
      where run_id = ${runId} and agent_id = any(${skip}::uuid[])`);
  if (begin.length > 0)
    await db.query(
      sql`update automations.steps set status = 'ready', due_at = now()
        where run_id = ${runId} and agent_id = any(${begin}::uuid[])`,
    );
  const open = steps.filter((step) => !hasEnded(step) && !skip.includes(step.agentId));
  if (open.length === 0) {
    const isComplete = steps.every(({ status }) => status === "completed");
    await endRun(db, runId, isComplete ? "completed" : "failed", isComplete ? null : AGENTS_FAILED);
  }
  await db.notify(CHANGES, runId);
}

const AGENTS_FAILED = {
  code: "agents_failed",
  message: "Some agents did not complete. See the error of each agent.",
};

/** A hash of the text that ignores white space; it recognises media that agents produced. */
export function hashText(text: string): string {
  return createHash("sha256").update(text.replace(/\s+/g, " ").trim()).digest("hex");
}

async function updateHeld(
  db: Database,
  step: HeldStep,
  set: Sql,
  { tell: notify = false } = {},
): Promise<boolean> {
  const rows = await db.query(sql`update automations.steps set ${set}
      where run_id = ${step.runId} and agent_id = ${step.agentId}
    and claim = ${step.claim} and status in ('running', 'approval') returning run_id`);
  if (notify && rows.length > 0) await db.notify(CHANGES, step.runId);
  return rows.length > 0;
}

function afterMs(ms: number): Sql {
  return sql`now() + ${Math.round(ms)} * interval '1 millisecond'`;
}
