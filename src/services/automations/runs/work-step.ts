import { STOPPING } from "../../../platform/background/work-loop.ts";
import { cutText } from "../../../platform/cut-text.ts";
import type { Database } from "../../../platform/db/database.ts";
import { call, type Fetch } from "../../../platform/http/call.ts";
import { ApiError } from "../../../platform/http/errors.ts";
import { backoff } from "../../../platform/queue/backoff.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import { type AgentRun, runsContract } from "../../core/contract-runs.ts";
import type { RunError } from "../contract-runs.ts";
import type { RefuseInactive } from "../acting-user.ts";
import { usableAgents } from "../check-agents.ts";
import { PEER_UNAVAILABLE } from "../peer-unavailable.ts";
import { agentInput, INSTRUCTIONS } from "./agent-input.ts";
import { findRun, outputsOf, type StoredRun } from "./store.ts";
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
  /** The first wait before another try; doubles each time. */
  backoffMs: number;
}

/** How long one question to the core waits: what is longer is asked again. */
const WAIT_MS = 15_000;
const STOP_MS = 5_000;
const APPROVAL_LOOK_MS = 5_000;
const LATER_MS = 5_000;
/** A process that ends in the middle counts for no try, up to so many times. */
const MAX_LOSSES = 10;

/**
 * One agent of a run, to its end or to the next try. Each try has a key by which the core knows it:
 * a worker that takes over asks for the same reply, so that none is made twice to its end.
 */
export async function workStep(deps: StepDeps, step: HeldStep, signal: AbortSignal): Promise<void> {
  try {
    const run = await findRun(deps.db, step.runId);
    if (run?.status !== "running") return;
    if (step.losses > MAX_LOSSES) return await saveEnd(deps.db, step, { error: LOST_TOO_OFTEN });
    await deps.refuseInactive(run);
    await takeStep(deps, step, run, signal);
  } catch (error) {
    if (signal.aborted) {
      if (signal.reason === STOPPING) await releaseStep(deps.db, step);
      return;
    }
    await tryFailed(deps, step, error);
  }
}

async function takeStep(
  { db, core, log, backoffMs }: StepDeps,
  step: HeldStep,
  run: StoredRun,
  signal: AbortSignal,
): Promise<void> {
  const { userId, clientId } = run;
  if (!(await mayMakerUse(core, run, step.agentId)))
    return saveEnd(db, step, { error: AGENT_NOT_USABLE });
  const body = {
    userId,
    clientId,
    key: `automation:${step.runId}:${step.agentId}:${step.attempt}`,
    agentId: step.agentId,
    title: titleOf(run),
    content: agentInput(run, await outputsOf(db, run.id, step.dependsOn)),
    instructions: INSTRUCTIONS,
  };
  const until = performance.now() + step.timeoutMs - step.spentMs;
  let known: string | undefined;
  while (true) {
    const left = step.approval ? 0 : Math.max(0, until - performance.now());
    const waitMs = Math.ceil(Math.min(left, WAIT_MS, known === undefined ? 0 : WAIT_MS));
    const reply = await call(
      core,
      runsContract.runAgent,
      { body: { ...body, waitMs } },
      { signal, timeoutMs: waitMs + WAIT_MS },
    );
    if (known !== reply.conversationId && !(await saveConversation(db, step, reply))) {
      // somebody cancelled it while it began
      await stop(core, userId, reply, log);
      return;
    }
    known = reply.conversationId;
    if (reply.status === "complete" && reply.waiting)
      return saveApproval(db, step, APPROVAL_LOOK_MS);
    if (reply.status === "complete")
      return saveEnd(db, step, { output: reply.content, usage: reply.usage });
    if (reply.status === "stopped") return saveEnd(db, step, { error: STOPPED });
    if (reply.status === "failed") {
      const { code, error } = reply.error ?? {
        code: "agent_failed",
        error: "The agent's reply failed.",
      };
      if (code === "interrupted" || code === "shutting_down")
        return saveRetry(db, step, {
          error: { code, message: error },
          waitMs: backoffMs,
          counts: "loss",
        });
      throw new ReplyFailed(502, code, error);
    }
    if (!step.approval && performance.now() >= until) {
      await stop(core, userId, reply, log);
      // it may have come to its end just before
      const last = await call(
        core,
        runsContract.runAgent,
        { body: { ...body, waitMs: STOP_MS } },
        { signal, timeoutMs: WAIT_MS },
      );
      if (last.status === "complete" && !last.waiting)
        return saveEnd(db, step, { output: last.content, usage: last.usage });
      const message = `The agent was not done after ${step.timeoutMs / 1_000} s. Raise its timeout in the rule.`;
      throw new ApiError(504, "agent_timeout", message);
    }
    // decided, and the reply goes on: a step like any other from now on
    if (step.approval) return saveDelay(db, step, 0);
  }
}

/** Another try where there is one left and it may help. */
async function tryFailed(
  { db, backoffMs, log }: StepDeps,
  step: HeldStep,
  error: unknown,
): Promise<void> {
  const known = error instanceof ApiError ? error : undefined;
  if (!known)
    log.error({ err: error, run: step.runId, agent: step.agentId }, "a step of a run failed");
  if (known && !(known instanceof ReplyFailed) && NOT_ITS_FAULT.includes(known.code))
    return saveDelay(db, step, LATER_MS * (1 + Math.random()));
  const why: RunError = known
    ? { code: known.code, message: ADVICE[known.code] ?? known.message }
    : {
        code: "internal_error",
        message: "The agent could not be run. An administrator finds the reason in the log.",
      };
  const helps = known === undefined || known.status >= 500 || known.status === 429;
  if (!helps || step.failures >= step.retryCount) return saveEnd(db, step, { error: why });
  await saveRetry(db, step, {
    error: why,
    waitMs: backoff(step.failures + 1, backoffMs),
    counts: "failure",
  });
}

async function stop(
  core: Fetch,
  userId: string,
  { conversationId }: AgentRun,
  log: Logger,
): Promise<void> {
  await stopReply(core, userId, conversationId).catch((error: unknown) =>
    log.warn({ err: error, conversation: conversationId }, "an agent's reply could not be stopped"),
  );
}

export async function stopReply(
  core: Fetch,
  userId: string,
  conversationId: string,
): Promise<void> {
  await call(
    core,
    runsContract.stopAgent,
    { body: { userId, conversationId } },
    { timeoutMs: 5_000 },
  );
}

export function titleOf({ name, medium }: Pick<StoredRun, "name" | "medium">): string {
  return cutText([name, medium?.filename].filter(Boolean).join(": "), 300) || "Automation";
}

/** Whether who chose the agent may still use it; the core asks the same of the uploader. */
async function mayMakerUse(
  core: Fetch,
  { makerId, userId, clientId }: StoredRun,
  agentId: string,
): Promise<boolean> {
  if (makerId === null || makerId === userId) return true;
  return (await usableAgents(core, { userId: makerId, clientId }, [agentId])).has(agentId);
}

/** What the core said of the reply itself. */
class ReplyFailed extends ApiError {}

/** The core has no room, or is away: the same try goes on when it is back. */
const NOT_ITS_FAULT = ["too_many_replies", ...PEER_UNAVAILABLE];

/** What to do, where the core knows nothing of the run. */
const AGENT_GONE =
  "The agent is deleted, or no longer shared with the uploader. " +
  "Restore it, or choose another agent in the rule or schedule, then run it again.";
const ADVICE: Record<string, string> = { agent_not_found: AGENT_GONE, agent_gone: AGENT_GONE };

const AGENT_NOT_USABLE = {
  code: "agent_not_usable",
  message:
    "The agent is deleted, or the maker of the rule may no longer use it. " +
    "Ask the maker to choose another agent in the rule, then run it again.",
};
const STOPPED = { code: "stopped", message: "Somebody stopped the reply in its conversation." };
const LOST_TOO_OFTEN = {
  code: "agent_lost",
  message:
    "The process ended every time in the middle of this agent. Look at the log, then run it again.",
};
