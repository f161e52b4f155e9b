import { createHash } from "node:crypto";
import sql, { type Sql } from "sql-template-tag";
import type { Capacity } from "../../../platform/background/work-loop.ts";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb, storable } from "../../../platform/db/jsonb.ts";
import {
  claimRows,
  leaseEnd,
  renewRows,
  type RowLease,
} from "../../../platform/lease/row-lease.ts";
import type { AgentRun } from "../../core/contract-agent-replies.ts";
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

const LEASE: RowLease = {
  table: sql`automations.steps`,
  until: sql`due_at`,
  fence: sql`claim`,
  durationMs: 30_000,
};

const IS_OPEN = sql`status in ('ready', 'running', 'approval')`;

/** Claims steps that are due, or whose lease expired. A step has at most one worker. */
export async function takeSteps(db: Database, capacity: Capacity): Promise<HeldStep[]> {
  return claimRows<HeldStep>(db, LEASE, {
    due: lockFairly(LEASE.table, IS_OPEN, capacity),
    set: sql`status = case claimed.status when 'approval' then 'approval' else 'running' end,
      losses = claimed.losses + (claimed.status = 'running')::int,
      started_at = coalesce(claimed.started_at, now()),
      attempt_started_at = coalesce(claimed.attempt_started_at, now())`,
    returning: sql`claimed.run_id as "runId", claimed.user_id as "userId",
      claimed.agent_id as "agentId", claimed.claim, claimed.attempt, claimed.failures,
      claimed.losses, claimed.retry_count as "retryCount", claimed.timeout_ms as "timeoutMs",
      (extract(epoch from now() - claimed.attempt_started_at) * 1000)::float8 as "spentMs",
      claimed.status = 'approval' as approval, claimed.depends_on as "dependsOn"`,
  });
}

/** Renews leases. @returns the indexes of the steps that are still held. */
export async function renewSteps(
  db: Database,
  steps: readonly HeldStep[],
): Promise<Set<number>> {
  return renewRows(db, LEASE, {
    held: steps.map(({ runId, agentId, claim }) => ({ runId, agentId, claim })),
    fields: sql`"runId" uuid, "agentId" uuid, claim int`,
    match: sql`claimed.run_id = held."runId" and claimed.agent_id = held."agentId"
      and claimed.claim = held.claim and claimed.status in ('running', 'approval')`,
  });
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
export async function saveApproval(
  db: Database,
  step: HeldStep,
  lookMs: number,
): Promise<void> {
  const set = sql`status = 'approval', due_at = ${leaseEnd(lookMs)}, claim = claim + 1`;
  await updateHeld(db, step, set, { tell: true });
}

/** Schedules another attempt with a new key, after a failure or the end of a process. */
export async function saveRetry(
  db: Database,
  step: HeldStep,
  {
    error,
    waitMs,
    counts,
  }: { error: RunError; waitMs: number; counts: "failure" | "loss" },
): Promise<void> {
  const counter =
    counts === "failure" ? sql`failures = failures + 1` : sql`losses = losses + 1`;
  await updateHeld(
    db,
    step,
    sql`status = 'ready', due_at = ${leaseEnd(waitMs)}, attempt = attempt + 1,
      attempt_started_at = null, error = ${jsonb(error)}, ${counter}`,
    { tell: true },
  );
}

/** Schedules the same attempt again, because core had no capacity. */
export async function saveDelay(
  db: Database,
  step: HeldStep,
  waitMs: number,
): Promise<void> {
  await updateHeld(
    db,
    step,
    sql`status = 'ready', due_at = ${leaseEnd(waitMs)}, attempt_started_at = null`,
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
    await endRun(
      db,
      runId,
      isComplete ? "completed" : "failed",
      isComplete ? null : AGENTS_FAILED,
    );
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
