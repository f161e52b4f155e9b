import { STOPPING } from "../../../platform/background/work-loop.ts";
import { shortenText } from "../../../platform/shorten-text.ts";
import type { Database } from "../../../platform/db/database.ts";
import { call, type Fetch } from "../../../platform/http/call.ts";
import { ApiError } from "../../../platform/http/errors.ts";
import { backoff } from "../../../platform/backoff.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import {
  type ReportedError,
  toStoredFailure,
} from "../../../platform/http/reported-error.ts";
import { type AgentRun, agentRepliesContract } from "../../core/contract-agent-replies.ts";
import type { RunError } from "../contract-runs.ts";
import type { RefuseInactive } from "../refuse-inactive.ts";
import { usableAgents } from "../check-agents.ts";
import { PEER_UNAVAILABLE } from "../peer-unavailable.ts";
import { toAgentInput, INSTRUCTIONS } from "./agent-input.ts";
import { findRun, listOutputs, type StoredRun } from "./store.ts";
import {
  type HeldStep,
  releaseStep,
  saveApproval,
  saveConversation,
  saveDelay,
  saveEnd,
  saveRetry,
} from "./step-store.ts";

export interface StepDeps {
  db: Database;
  core: Fetch;
  log: Logger;
  refuseInactive: RefuseInactive;
  /** The delay before the first retry; doubles each time. */
  backoffMs: number;
}

/** How long one call to core waits for the reply before it asks again. */
const WAIT_MS = 15_000;
const STOP_MS = 5_000;
const APPROVAL_CHECK_MS = 5_000;
const CAPACITY_RETRY_MS = 5_000;
/** The end of a process does not count as a failure, up to this number. */
const MAX_LOSSES = 10;

/**
 * Runs one agent of a run until it ends or another attempt is due. Each attempt has a key, so that
 * a worker that takes over continues the same reply.
 */
export async function workStep(
  deps: StepDeps,
  step: HeldStep,
  signal: AbortSignal,
): Promise<void> {
  try {
    const run = await findRun(deps.db, step.runId);
    if (run?.status !== "running") return;
    if (step.losses > MAX_LOSSES)
      return await saveEnd(deps.db, step, { error: LOST_TOO_OFTEN });
    await deps.refuseInactive(run);
    await runAgentStep(deps, step, run, signal);
  } catch (error) {
    if (signal.aborted) {
      if (signal.reason === STOPPING) await releaseStep(deps.db, step);
      return;
    }
    await saveFailure(deps, step, error);
  }
}

async function runAgentStep(
  deps: StepDeps,
  step: HeldStep,
  run: StoredRun,
  signal: AbortSignal,
): Promise<void> {
  const { db, core } = deps;
  if (!(await mayCreatorUse(core, run, step.agentId)))
    return saveEnd(db, step, { error: AGENT_NOT_USABLE });
  const request = await toAgentRequest(db, run, step);
  const ask = (waitMs: number, timeoutMs: number) =>
    call(
      core,
      agentRepliesContract.runAgent,
      { body: { ...request, waitMs } },
      { signal, timeoutMs },
    );
  const deadline = performance.now() + step.timeoutMs - step.spentMs;
  let conversationId: string | undefined;
  while (true) {
    const remaining = step.approval ? 0 : Math.max(0, deadline - performance.now());
    const maxWaitMs = conversationId === undefined ? 0 : WAIT_MS;
    const waitMs = Math.ceil(Math.min(remaining, maxWaitMs));
    const reply = await ask(waitMs, waitMs + WAIT_MS);
    if (
      conversationId !== reply.conversationId &&
      !(await saveConversation(db, step, reply))
    ) {
      // the run was cancelled while the reply started
      return stopAndLog(deps, run.userId, reply);
    }
    conversationId = reply.conversationId;
    if (await saveOutcome(deps, step, reply)) return;
    if (!step.approval && performance.now() >= deadline) {
      await stopAndLog(deps, run.userId, reply);
      const last = await ask(STOP_MS, WAIT_MS);
      return saveLate(db, step, last);
    }
    // the user has decided and the reply continues: the step is a normal one again
    if (step.approval) return saveDelay(db, step, 0);
  }
}

async function toAgentRequest(db: Database, run: StoredRun, step: HeldStep) {
  const { userId, clientId } = run;
  const outputs = await listOutputs(db, run.id, step.dependsOn);
  return {
    userId,
    clientId,
    key: `automation:${step.runId}:${step.agentId}:${step.attempt}`,
    agentId: step.agentId,
    title: titleOf(run),
    content: toAgentInput(run, outputs),
    readFrom: outputs.flatMap(({ conversationId }) => conversationId ?? []).slice(0, 100),
    instructions: INSTRUCTIONS,
  };
}

/**
 * Stores the outcome of a reply that has ended or waits for approval.
 * @returns false while the reply is being generated. @throws ReplyFailed.
 */
async function saveOutcome(
  { db, backoffMs }: StepDeps,
  step: HeldStep,
  reply: AgentRun,
): Promise<boolean> {
  if (reply.status === "complete" && reply.waiting)
    await saveApproval(db, step, APPROVAL_CHECK_MS);
  else if (reply.status === "complete")
    await saveEnd(db, step, { output: reply.content, usage: reply.usage });
  else if (reply.status === "stopped") await saveEnd(db, step, { error: STOPPED });
  else if (reply.status === "failed") {
    const { code, error: message, params }: ReportedError = reply.error ?? NO_REASON;
    if (!INTERRUPTIONS.includes(code))
      throw new ReplyFailed(502, code, message, { params });
    const error = { code, message };
    await saveRetry(db, step, { error, waitMs: backoffMs, counts: "loss" });
  } else return false;
  return true;
}

/** Stores a reply that completed just before it was stopped. @throws ApiError `agent_timeout`. */
async function saveLate(db: Database, step: HeldStep, last: AgentRun): Promise<void> {
  if (last.status === "complete" && !last.waiting)
    return saveEnd(db, step, { output: last.content, usage: last.usage });
  throw new ApiError(
    504,
    "agent_timeout",
    `The agent did not finish within ${step.timeoutMs / 1_000} s. Raise its timeout in the rule.`,
    { params: { seconds: step.timeoutMs / 1_000 } },
  );
}

/** Schedules another attempt if one is left and the error may be temporary; else ends the step. */
async function saveFailure(
  { db, backoffMs, log }: StepDeps,
  step: HeldStep,
  error: unknown,
): Promise<void> {
  const apiError = error instanceof ApiError ? error : undefined;
  if (!apiError)
    log.error(
      { err: error, run: step.runId, agent: step.agentId },
      "a step of a run failed",
    );
  const isCapacity = apiError !== undefined && CAPACITY_CODES.includes(apiError.code);
  if (isCapacity && !(apiError instanceof ReplyFailed))
    return saveDelay(db, step, CAPACITY_RETRY_MS * (1 + Math.random()));
  const reason = apiError ? toRunError(apiError) : INTERNAL_ERROR;
  const isRetryable =
    apiError === undefined || apiError.status >= 500 || apiError.status === 429;
  if (!isRetryable || step.failures >= step.retryCount)
    return saveEnd(db, step, { error: reason });
  await saveRetry(db, step, {
    error: reason,
    waitMs: backoff(step.failures + 1, backoffMs),
    counts: "failure",
  });
}

function toRunError(error: ApiError): RunError {
  const failure = toStoredFailure(error);
  return { ...failure, message: ADVICE[failure.code] ?? failure.message };
}

async function stopAndLog(
  { core, log }: StepDeps,
  userId: string,
  { conversationId }: AgentRun,
): Promise<void> {
  await stopReply(core, userId, conversationId).catch((error: unknown) =>
    log.warn(
      { err: error, conversation: conversationId },
      "stopping an agent's reply failed",
    ),
  );
}

export async function stopReply(
  core: Fetch,
  userId: string,
  conversationId: string,
): Promise<void> {
  await call(
    core,
    agentRepliesContract.stopAgent,
    { body: { userId, conversationId } },
    { timeoutMs: 5_000 },
  );
}

export function titleOf({ name, medium }: Pick<StoredRun, "name" | "medium">): string {
  return (
    shortenText([name, medium?.filename].filter(Boolean).join(": "), 300) || "Automation"
  );
}

/** Whether the rule's creator may still use the agent; core checks the same for the uploader. */
async function mayCreatorUse(
  core: Fetch,
  { makerId, userId, clientId }: StoredRun,
  agentId: string,
): Promise<boolean> {
  if (makerId === null || makerId === userId) return true;
  return (await usableAgents(core, { userId: makerId, clientId }, [agentId])).has(agentId);
}

/** An error of the reply itself, not of the call to core. */
class ReplyFailed extends ApiError {}

/** Core has no capacity or is unreachable: the same attempt continues later. */
const CAPACITY_CODES = ["too_many_replies", ...PEER_UNAVAILABLE];

/** Advice for errors of core, which does not know about automations. */
const AGENT_GONE =
  "The agent is deleted, or no longer shared with the uploader. " +
  "Restore it, or choose another agent in the rule or schedule, then run it again.";
const ADVICE: Record<string, string> = {
  agent_not_found: AGENT_GONE,
  agent_gone: AGENT_GONE,
};

const AGENT_NOT_USABLE = {
  code: "agent_not_usable",
  message:
    "The agent is deleted, or the creator of the rule may no longer use it. " +
    "Ask the creator to choose another agent in the rule, then run it again.",
};
const STOPPED = {
  code: "stopped",
  message: "Somebody stopped the reply in its conversation.",
};
const NO_REASON = {
  code: "agent_failed",
  error: "The agent's reply failed. Run it again.",
};
/** The process that generated the reply ended. */
const INTERRUPTIONS = ["interrupted", "shutting_down"];
const INTERNAL_ERROR = {
  code: "internal_error",
  message: "The agent could not run. Ask an administrator to look at the log.",
};
const LOST_TOO_OFTEN = {
  code: "agent_lost",
  message:
    "The process ended during every attempt of this agent. Look at the log, then run it again.",
};
