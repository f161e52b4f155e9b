import { Deadline } from "../../platform/http/deadline.ts";
import { ApiError, BadGateway, GatewayTimeout } from "../../platform/http/errors.ts";
import { Routes } from "../../platform/http/routes.ts";
import { eventStream } from "../../platform/http/stream.ts";
import { agentContract, type RunEvent, type RunRequest, type RunResult } from "./contract.ts";
import type { RunBudget } from "./contract-budget.ts";
import { loop, type LoopDeps } from "./loop.ts";
import { newProgress, type Progress } from "./progress.ts";

interface Deps extends LoopDeps {
  /** Lets a user's run through. @returns what it may use. @throws ApiError `budget_exceeded`. */
  admit: (userId: string, model: string, signal: AbortSignal) => Promise<RunBudget[]>;
  runTimeoutMs: number;
}

export function agentRoutes(deps: Deps): Routes {
  return new Routes().on(agentContract.run, async ({ body: asked, caller, signal }) => {
    const body = caller.kind === "user" ? await ofUser(deps, asked, caller.userId, signal) : asked;
    return body.stream ? eventStream(streamed(deps, body, signal)) : whole(deps, body, signal);
  });
}

/** A sibling asked the budgets before; a user comes by himself, and may bind himself further. */
async function ofUser(
  deps: Deps,
  asked: RunRequest,
  userId: string,
  signal: AbortSignal,
): Promise<RunRequest> {
  const budgets = [...(asked.budgets ?? []), ...(await deps.admit(userId, asked.model, signal))];
  return { ...asked, budgets, context: contextOf(asked, userId) };
}

/** What a user spends is his, whomever he names, and no agent's: that may have a budget which is not his to use up. */
function contextOf(
  { context: { agentId: _, ...context } = {} }: RunRequest,
  userId: string,
): RunRequest["context"] {
  return { ...context, userId };
}

async function* streamed(
  deps: Deps,
  request: RunRequest,
  signal: AbortSignal,
): AsyncGenerator<RunEvent[]> {
  const clock = new Deadline(signal, deps.runTimeoutMs);
  try {
    yield* loop(deps, request, newProgress(), clock.signal);
  } catch (cause) {
    const error = clock.late ? tooLong(deps.runTimeoutMs) : cause;
    if (!(error instanceof ApiError)) throw error;
    yield [{ type: "error", error: error.message, code: error.code }];
  } finally {
    clock.stop();
  }
}

async function whole(deps: Deps, request: RunRequest, signal: AbortSignal): Promise<RunResult> {
  const clock = new Deadline(signal, deps.runTimeoutMs);
  const progress = newProgress();
  try {
    for await (const _ of loop(deps, request, progress, clock.signal));
  } catch (cause) {
    throw withProgress(clock.late ? tooLong(deps.runTimeoutMs) : cause, progress);
  } finally {
    clock.stop();
  }
  return { ...progress, finishReason: progress.finishReason ?? "stop" };
}

/** The error that ended the loop as a 502 or 504, with what was done so far in `details`. */
function withProgress(error: unknown, progress: Progress): unknown {
  if (!(error instanceof ApiError)) return error;
  const details = { ...progress, ...(error.details !== undefined && { cause: error.details }) };
  return error.status === 504
    ? new GatewayTimeout(error.code, error.message, { details })
    : new BadGateway(error.code, error.message, { details });
}

function tooLong(ms: number): GatewayTimeout {
  return new GatewayTimeout(
    "run_timeout",
    `The run was ended after ${ms / 1000} s. Ask for less at once, or raise AGENT_RUN_TIMEOUT.`,
  );
}
