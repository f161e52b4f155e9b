import { Deadline } from "../../platform/http/deadline.ts";
import type { User } from "../../platform/http/caller.ts";
import { ApiError, BadGateway, Forbidden, GatewayTimeout } from "../../platform/http/errors.ts";
import type { Guard } from "../../platform/http/guard.ts";
import { Routes } from "../../platform/http/routes.ts";
import { eventStream } from "../../platform/http/stream.ts";
import { agentContract, type RunEvent, type RunRequest, type RunResult } from "./contract.ts";
import type { RunBudget } from "./contract-budget.ts";
import { loop, type LoopDeps } from "./loop.ts";
import { newProgress, type Progress } from "./progress.ts";

interface Deps extends LoopDeps {
  /**
   * Whether a user may use the model now.
   * @returns how much.
   * @throws ApiError `budget_exceeded`, `permission_missing`.
   */
  admit: (user: User, model: string, signal: AbortSignal) => Promise<RunBudget[]>;
  guard: Guard;
  runTimeoutMs: number;
}

export function agentRoutes(deps: Deps): Routes {
  return new Routes().on(agentContract.run, async ({ body: asked, caller, signal }) => {
    const body = caller.kind === "user" ? await ofUser(deps, asked, caller, signal) : asked;
    return body.stream ? eventStream(streamed(deps, body, signal)) : whole(deps, body, signal);
  });
}

/**
 * A sibling checked roles and budgets before; for a user this does, who may set further budgets.
 */
async function ofUser(
  deps: Deps,
  asked: RunRequest,
  user: User,
  signal: AbortSignal,
): Promise<RunRequest> {
  await checkTools(deps.guard, user, asked);
  const budgets = [...(asked.budgets ?? []), ...(await deps.admit(user, asked.model, signal))];
  return { ...asked, budgets, context: contextOf(asked, user.userId) };
}

/**
 * @throws Forbidden for a tool that the user's roles do not permit, and for approval that the user
 * may not give.
 */
async function checkTools(guard: Guard, user: User, request: RunRequest): Promise<void> {
  const { tools = [], approval, allowedTools = [], decisions = [] } = request;
  for (const tool of tools) await guard.check("tool:use", user, { tool });
  const approves =
    approval === "never" ||
    allowedTools.length > 0 ||
    decisions.some(({ decision }) => decision === "approve");
  if (tools.length > 0 && approves && !(await guard.allows("tool:approve", user)))
    throw new Forbidden(
      "permission_missing",
      'You may not approve calls of tools (tool:approve). Send "approval": "destructive".',
    );
}

/**
 * What a user spends is his, whomever he names, and no agent's: that may have a budget which is not
 * his to use up.
 */
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
