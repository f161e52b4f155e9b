import sql, { join, type Sql } from "sql-template-tag";
import type { Database } from "../../../platform/db/database.ts";
import { jsonb, storable } from "../../../platform/db/jsonb.ts";
import { lockKeys } from "../../../platform/db/lock-keys.ts";
import { TooManyRequests } from "../../../platform/http/errors.ts";
import type {
  MediumFacts,
  Run,
  RunAgent,
  RunError,
  RunStatus,
  RunSummary,
} from "../contract-runs.ts";
import type { NewStep } from "./plan-steps.ts";

/**
 * The channel that notifies workers of due work, and readers of a changed run; the payload is the
 * run's id.
 */
export const CHANGES = "automation-runs";

export interface NewRun {
  id: string;
  clientId: string;
  userId: string;
  ruleId: number | null;
  /** The user who chose the agents, if not `userId`. */
  makerId: string | null;
  name: string;
  type: string;
  origin: string;
  sourceId?: string | undefined;
  scheduleId?: string | undefined;
  rerunOf?: string | undefined;
  madeBy: readonly number[];
  status: RunStatus;
  medium: MediumFacts | null;
  storageKey: string | null;
  conversationId: string;
  transcript?: string | null;
  found?: MediumDetails;
  /** The input of the agents if there is no medium. */
  input?: string | null;
  /** The time of the schedule that started it. */
  tick?: Date | undefined;
}

/** Details of a medium, read along with its text. */
export interface MediumDetails {
  duration?: number | undefined;
  language?: string | undefined;
}

/** The limits of one user. */
const MAX_RUNS_IN_PROGRESS = 1_000;
const MAX_STORED_RUNS = 100_000;

/** @throws TooManyRequests at the limits of the user. */
export async function refuseTooManyRuns(db: Database, userId: string): Promise<void> {
  const [row] = await db.query<{ inProgress: number; kept: number }>(sql`select
    (select count(*)::int from automations.runs where user_id = ${userId}
      and status in ('reading', 'running')) as "inProgress",
    (select count(*)::int from (select from automations.runs where user_id = ${userId}
      limit ${MAX_STORED_RUNS}) kept) as kept`);
  if ((row?.inProgress ?? 0) >= MAX_RUNS_IN_PROGRESS)
    throw new TooManyRequests(
      "too_many_runs",
      `${MAX_RUNS_IN_PROGRESS} of your runs are in progress. Wait for some to end, or cancel some.`,
      30_000,
      { params: { max: MAX_RUNS_IN_PROGRESS } },
    );
  if ((row?.kept ?? 0) >= MAX_STORED_RUNS)
    throw new TooManyRequests(
      "too_many_runs_kept",
      `You have ${MAX_STORED_RUNS} runs. Delete old ones first.`,
      3_600_000,
      { params: { max: MAX_STORED_RUNS } },
    );
}

/** Keeps concurrent inserts of a user within the limits, until the transaction ends. */
export async function lockRunsOfUser(db: Database, userId: string): Promise<void> {
  await lockKeys(db, [`automations runs of ${userId}`]);
}

/**
 * Inserts a run with its waiting steps, in the caller's transaction. A lock per user keeps
 * concurrent inserts within the limits.
 * @throws TooManyRequests at the limits of the user.
 */
export async function insertRun(
  db: Database,
  run: NewRun,
  steps: readonly NewStep[],
): Promise<void> {
  await lockRunsOfUser(db, run.userId);
  await refuseTooManyRuns(db, run.userId);
  const endedAt = run.status === "unmatched" ? sql`now()` : sql`null`;
  const dueAt = run.status === "reading" ? sql`now()` : sql`null`;
  await db.query(sql`insert into automations.runs (id, client_id, user_id, rule_id, maker_id, name,
    type, origin, source_id, schedule_id, rerun_of,
      made_by, status, medium, storage_key, conversation_id, transcript, found, input, tick,
      due_at, ended_at)
    values (${run.id}, ${run.clientId}, ${run.userId}, ${run.ruleId}, ${run.makerId}, ${run.name},
    ${run.type}, ${run.origin}, ${run.sourceId ?? null},
      ${run.scheduleId ?? null}, ${run.rerunOf ?? null}, ${[...run.madeBy]}::bigint[],
      ${run.status}, ${jsonb(run.medium)}, ${run.storageKey},
      ${run.conversationId}, ${run.transcript ?? null}, ${jsonb(run.found ?? {})},
      ${run.input ?? null}, ${run.tick ?? null}, ${dueAt}, ${endedAt})`);
  if (steps.length === 0) return;
  const rows = steps.map((step) => ({
    agent_id: step.agentId,
    position: step.position,
    priority: step.priority,
    timeout_ms: step.timeoutMs,
    retry_count: step.retryCount,
    depends_on: step.dependsOn,
  }));
  await db.query(sql`insert into automations.steps (run_id, user_id, agent_id, position, priority,
    timeout_ms, retry_count, depends_on, status)
    select ${run.id}, ${run.userId}, agent_id, position, priority, timeout_ms, retry_count,
      depends_on, 'waiting'
    from jsonb_to_recordset(${jsonb(rows)}) as s (agent_id uuid, position int, priority int,
    timeout_ms int, retry_count int, depends_on uuid[])`);
  await db.notify(CHANGES, run.id);
}

type Dated<Shape> = {
  [Key in keyof Shape]: Key extends `${string}At` ? Date | null : Shape[Key];
};
type RunRow = Dated<Omit<Run, "agents">> & { createdAt: Date };

const SUMMARY = sql`id, status, rule_id::float8 as "ruleId", name, type, origin,
  source_id as "sourceId", schedule_id as "scheduleId",
  rerun_of as "rerunOf", medium, case when transcript is null then null else conversation_id
  end as "conversationId",
  (found->>'duration')::float8 as duration, found->>'language' as language, error,
  created_at as "createdAt", ended_at as "endedAt"`;
const STEP = sql`agent_id as "agentId", priority, depends_on as "dependsOn",
  case status when 'ready' then 'waiting' else status end as status,
  case when started_at is null then 0 else attempt end as tries,
  conversation_id as "conversationId", message_id as "messageId", output, usage, error,
  started_at as "startedAt", ended_at as "endedAt"`;

export interface RunFilter {
  status?: RunStatus | undefined;
  ruleId?: number | undefined;
  sourceId?: string | undefined;
  scheduleId?: string | undefined;
}

/** A page of a user's runs, newest first. */
export async function listRuns(
  db: Database,
  userId: string,
  { status, ruleId, sourceId, scheduleId }: RunFilter,
  limit: number,
  offset: number,
): Promise<{ items: RunSummary[]; total: number }> {
  const conditions: Sql[] = [sql`user_id = ${userId}`];
  if (status !== undefined) conditions.push(sql`status = ${status}`);
  if (ruleId !== undefined) conditions.push(sql`rule_id = ${ruleId}`);
  if (sourceId !== undefined) conditions.push(sql`source_id = ${sourceId}`);
  if (scheduleId !== undefined) conditions.push(sql`schedule_id = ${scheduleId}`);
  const where = join(conditions, " and ");
  const rows = await db.query<RunRow>(
    sql`select ${SUMMARY} from automations.runs where ${where} order by id desc
      limit ${limit} offset ${offset}`,
  );
  const [count] = await db.query<{ total: number }>(
    sql`select count(*)::int as total from automations.runs where ${where}`,
  );
  return { items: rows.map(toRun), total: count?.total ?? 0 };
}

/** A user's run with its agents in the order of the rule. */
export async function readRun(
  db: Database,
  userId: string,
  id: string,
): Promise<Run | undefined> {
  const [row] = await db.query<RunRow>(
    sql`select ${SUMMARY}, transcript from automations.runs
      where id = ${id} and user_id = ${userId}`,
  );
  if (!row) return undefined;
  const steps = await db.query<Dated<RunAgent>>(
    sql`select ${STEP} from automations.steps where run_id = ${id} order by position`,
  );
  const agents = steps.map((step) => ({
    ...step,
    startedAt: toIso(step.startedAt),
    endedAt: toIso(step.endedAt),
  }));
  return { ...toRun(row), transcript: row.transcript, agents };
}

/** A run as workers need it. */
export interface StoredRun {
  id: string;
  clientId: string;
  userId: string;
  ruleId: number | null;
  makerId: string | null;
  name: string;
  type: string;
  origin: string;
  sourceId: string | null;
  scheduleId: string | null;
  madeBy: number[];
  status: RunStatus;
  medium: MediumFacts | null;
  storageKey: string | null;
  documentId: string | null;
  conversationId: string;
  transcript: string | null;
  found: MediumDetails;
  input: string | null;
}

const STORED = sql`id, client_id as "clientId", user_id as "userId", rule_id::float8 as "ruleId",
  maker_id as "makerId", name, type, origin, source_id as "sourceId",
  schedule_id as "scheduleId", made_by::float8[] as "madeBy", status, medium,
  storage_key as "storageKey", document_id as "documentId",
  conversation_id as "conversationId", transcript, found, input`;

export async function findRun(
  db: Database,
  id: string,
  { locked = false } = {},
): Promise<StoredRun | undefined> {
  const [row] = await db.query<StoredRun>(
    sql`select ${STORED} from automations.runs
      where id = ${id} ${locked ? sql`for update` : sql``}`,
  );
  return row;
}

/** The outputs of some agents of a run. */
export async function listOutputs(
  db: Database,
  runId: string,
  agentIds: readonly string[],
): Promise<{ agentId: string; output: string | null; conversationId: string | null }[]> {
  if (agentIds.length === 0) return [];
  return db.query(
    sql`select agent_id as "agentId", output, conversation_id as "conversationId" from automations.steps
      where run_id = ${runId} and agent_id = any(${[...agentIds]}::uuid[]) order by position`,
  );
}

/** Stores the text and details of a medium. The caller holds the run's lock. */
export async function saveTranscript(
  db: Database,
  id: string,
  { transcript, ...found }: { transcript: string } & MediumDetails,
): Promise<void> {
  await db.query(sql`update automations.runs
    set transcript = ${storable(transcript)}, found = ${jsonb(found)}, status = 'running',
    due_at = null,
    storage_key = null where id = ${id}`);
}

export async function endRun(
  db: Database,
  id: string,
  status: RunStatus,
  error: RunError | null = null,
): Promise<void> {
  await db.query(
    sql`update automations.runs set status = ${status}, error = ${jsonb(error)}, due_at = null,
      ended_at = now() where id = ${id}`,
  );
}

function toRun(row: RunRow): RunSummary {
  return { ...row, createdAt: row.createdAt.toISOString(), endedAt: toIso(row.endedAt) };
}

function toIso(date: Date | null): string | null {
  return date?.toISOString() ?? null;
}

/** Who owns these runs. */
export async function findOwners(
  db: Database,
  ids: readonly string[],
): Promise<{ id: string; userId: string }[]> {
  return db.query(sql`select id, user_id as "userId" from automations.runs
    where id = any(${[...ids]}::uuid[])`);
}
