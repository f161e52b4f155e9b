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

/** A step that a worker holds. */
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
  /** Milliseconds of the attempt that are over. */
  spentMs: number;
  /** It waited for the person's decision on a tool call. */
  approval: boolean;
  dependsOn: string[];
}

const LEASE = sql`interval '30 seconds'`;

const OPEN = sql`status in ('ready', 'running', 'approval')`;

/** Claims steps that are due, or whose worker's lease expired; each has one worker at most. */
export async function takeSteps(db: Database, room: Room): Promise<HeldStep[]> {
  return db.query<HeldStep>(sql`update automations.steps s
    set status = case s.status when 'approval' then 'approval' else 'running' end,
      claim = s.claim + 1, losses = s.losses + (s.status = 'running')::int,
      due_at = now() + ${LEASE}, started_at = coalesce(s.started_at, now()),
      attempt_started_at = coalesce(s.attempt_started_at, now())
    from (${lockFairly(sql`automations.steps`, OPEN, room)}) due
    where s.ctid = due.ctid
    returning s.run_id as "runId", s.user_id as "userId", s.agent_id as "agentId", s.claim,
      s.attempt, s.failures, s.losses, s.retry_count as "retryCount", s.timeout_ms as "timeoutMs",
      (extract(epoch from now() - s.attempt_started_at) * 1000)::float8 as "spentMs",
      s.status = 'approval' as approval, s.depends_on as "dependsOn"`);
}

/** A sign of life. @returns the indexes of those that are still held. */
export async function renewSteps(db: Database, steps: readonly HeldStep[]): Promise<Set<number>> {
  const rows = await db.query<{
    at: number;
  }>(sql`update automations.steps s set due_at = now() + ${LEASE}
    from jsonb_to_recordset(${jsonb(steps.map(({ runId, agentId, claim }, at) => ({ runId, agentId, claim, at })))})
      as h ("runId" uuid, "agentId" uuid, claim int, at int)
    where s.run_id = h."runId" and s.agent_id = h."agentId" and s.claim = h.claim and s.status in ('running', 'approval') returning h.at`);
  return new Set(rows.map(({ at }) => at));
}

/** Lets go of a step in the middle, for another worker to go on with at once: this one ends. */
export async function releaseStep(db: Database, step: HeldStep): Promise<void> {
  await held(
    db,
    step,
    sql`status = case status when 'running' then 'ready' else status end, due_at = now(), claim = claim + 1`,
  );
}

/** Where the agent answers, as soon as that is known. @returns whether the step is still held. */
export async function saveConversation(
  db: Database,
  step: HeldStep,
  at: AgentRun,
): Promise<boolean> {
  return held(db, step, sql`conversation_id = ${at.conversationId}, message_id = ${at.messageId}`, {
    tell: true,
  });
}

/** A tool call waits for the person: to be looked at again a while later. */
export async function saveApproval(db: Database, step: HeldStep, lookMs: number): Promise<void> {
  await held(db, step, sql`status = 'approval', due_at = ${inMs(lookMs)}, claim = claim + 1`, {
    tell: true,
  });
}

/**
 * Anew a while later, under a new key: after a try that failed, or one that broke off with its
 * process.
 */
export async function saveRetry(
  db: Database,
  step: HeldStep,
  { error, waitMs, counts }: { error: RunError; waitMs: number; counts: "failure" | "loss" },
): Promise<void> {
  const counted = counts === "failure" ? sql`failures = failures + 1` : sql`losses = losses + 1`;
  await held(
    db,
    step,
    sql`status = 'ready', due_at = ${inMs(waitMs)}, attempt = attempt + 1, attempt_started_at = null, error = ${jsonb(error)}, ${counted}`,
    { tell: true },
  );
}

/** The same try a while later: the core had no room for it. */
export async function saveDelay(db: Database, step: HeldStep, waitMs: number): Promise<void> {
  await held(db, step, sql`status = 'ready', due_at = ${inMs(waitMs)}, attempt_started_at = null`);
}

export type StepEnd = { output: string; usage: AgentRun["usage"] } | { error: RunError };

/** The end of a step, and what begins after it. Of a step that is not held any more: nothing. */
export async function saveEnd(db: Database, step: HeldStep, end: StepEnd): Promise<void> {
  await db.tx(async () => {
    await findRun(db, step.runId, { locked: true });
    const set =
      "error" in end
        ? sql`status = 'failed', error = ${jsonb(end.error)}`
        : sql`status = 'completed', output = ${storable(end.output)}, output_hash = ${wordsHash(end.output)}, usage = ${jsonb(end.usage)}, error = null`;
    if (await held(db, step, sql`${set}, due_at = null, ended_at = now()`))
      await advanceRun(db, step.runId);
  });
}

/**
 * Begins what may begin, skips what cannot, ends the run after its last step. Within the run's
 * lock.
 */
export async function advanceRun(db: Database, runId: string): Promise<void> {
  const steps = await db.query<PlannedStep>(
    sql`select agent_id as "agentId", priority, depends_on as "dependsOn", status from automations.steps where run_id = ${runId}`,
  );
  const { begin, skip } = planSteps(steps);
  const error = {
    code: "dependency_failed",
    message: "An agent that it depends on did not come to its end.",
  };
  if (skip.length > 0)
    await db.query(sql`update automations.steps set status = 'skipped', error = ${jsonb(error)}, ended_at = now()
      where run_id = ${runId} and agent_id = any(${skip}::uuid[])`);
  if (begin.length > 0)
    await db.query(
      sql`update automations.steps set status = 'ready', due_at = now() where run_id = ${runId} and agent_id = any(${begin}::uuid[])`,
    );
  const open = steps.filter((step) => !hasEnded(step) && !skip.includes(step.agentId));
  if (open.length === 0) {
    const whole = steps.every(({ status }) => status === "completed");
    await endRun(db, runId, whole ? "completed" : "failed", whole ? null : AGENTS_FAILED);
  }
  await db.notify(CHANGES, runId);
}

const AGENTS_FAILED = {
  code: "agents_failed",
  message: "Not every agent came to its end. Each says why.",
};

/** What a text says, whatever its spaces: by which media made by agents are known. */
export function wordsHash(text: string): string {
  return createHash("sha256").update(text.replace(/\s+/g, " ").trim()).digest("hex");
}

async function held(
  db: Database,
  step: HeldStep,
  set: Sql,
  { tell = false } = {},
): Promise<boolean> {
  const rows =
    await db.query(sql`update automations.steps set ${set} where run_id = ${step.runId} and agent_id = ${step.agentId}
    and claim = ${step.claim} and status in ('running', 'approval') returning run_id`);
  if (tell && rows.length > 0) await db.notify(CHANGES, step.runId);
  return rows.length > 0;
}

function inMs(ms: number): Sql {
  return sql`now() + ${Math.round(ms)} * interval '1 millisecond'`;
}
