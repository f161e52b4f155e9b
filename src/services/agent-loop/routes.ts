import { deliver, pushed } from "../../platform/batches.ts";
import { Deadline } from "../../platform/http/deadline.ts";
import type { User } from "../../platform/http/caller.ts";
import {
  ApiError,
  BadGateway,
  Forbidden,
  GatewayTimeout,
} from "../../platform/http/errors.ts";
import type { Guard } from "../../platform/http/guard.ts";
import { Routes } from "../../platform/http/routes.ts";
import { eventStream } from "../../platform/http/stream.ts";
import { toErrorEvent } from "../../platform/http/reported-error.ts";
import type { AnsweredBy } from "../completion/contract.ts";
import { agentContract, type RunRequest, type RunResult } from "./contract.ts";
import type { ReplyEvent } from "./contract-events.ts";
import type { Transcript } from "./contract-transcript.ts";
import type { RunBudget } from "./contract-budget.ts";
import { loop, type LoopDeps, openTranscript } from "./loop.ts";

interface Admission {
  budgets: RunBudget[];
  answeredBy?: AnsweredBy | undefined;
}

/** A request, and who answers where that is not the model that it names. */
interface Admitted {
  request: RunRequest;
  answeredBy?: AnsweredBy | undefined;
}

interface Deps extends LoopDeps {
  /**
   * Checks whether a user may use the model now.
   * @returns the budgets that hold for the run, and who answers where it is another model.
   * @throws ApiError `budget_exceeded`, `permission_missing`.
   */
  admit: (user: User, model: string, signal: AbortSignal) => Promise<Admission>;
  guard: Guard;
  runTimeoutMs: number;
}

export function agentRoutes(deps: Deps): Routes {
  return new Routes().on(agentContract.run, async ({ body, caller, signal }) => {
    const admitted =
      caller.kind === "user"
        ? await admitUser(deps, body, caller, signal)
        : { request: body };
    if (body.stream) return eventStream(streamRun(deps, admitted, signal));
    return completeRun(deps, admitted, signal);
  });
}

/**
 * The request of a user with the budgets that hold for them. Services have checked roles and
 * budgets themselves.
 */
async function admitUser(
  deps: Deps,
  { platformTools: _, ending: __, ...body }: RunRequest,
  user: User,
  signal: AbortSignal,
): Promise<Admitted> {
  await checkTools(deps.guard, user, body);
  const { budgets: held, answeredBy } = await deps.admit(user, body.model, signal);
  const budgets = [...(body.budgets ?? []), ...held];
  const model = answeredBy?.model ?? body.model;
  const context = toContext(body, user.userId);
  return { request: { ...body, model, budgets, context }, answeredBy };
}

/**
 * @throws Forbidden for a tool that the user's roles do not permit, and for approval that the user
 * may not give.
 */
async function checkTools(guard: Guard, user: User, request: RunRequest): Promise<void> {
  const { tools = [], approval, allowedTools = [], decisions = [] } = request;
  for (const tool of tools) await guard.check("tool:use", user, { tool });
  if (tools.length === 0) return;
  const approves =
    allowedTools.length > 0 || decisions.some(({ decision }) => decision === "approve");
  if ((approves || approval === "never") && !(await guard.allows("tool:approve", user)))
    throw mayNotApprove("You may not approve calls of tools (tool:approve).");
  // as in conversations
  if (approval === "never" && !(await guard.allows("tool:administer", user)))
    throw mayNotApprove(
      "Tools run without approval only for those who approve and administer tools " +
        "(tool:approve, tool:administer).",
    );
}

function mayNotApprove(reason: string): Forbidden {
  return new Forbidden("permission_missing", `${reason} Send "approval": "destructive".`);
}

/**
 * A user's run counts for that user, whoever the request names. It counts for no agent, whose
 * budget is not this user's to use up.
 */
function toContext(
  { context: { agentId: _, ...context } = {} }: RunRequest,
  userId: string,
): RunRequest["context"] {
  return { ...context, userId };
}

function streamRun(
  deps: Deps,
  { request, answeredBy }: Admitted,
  signal: AbortSignal,
): AsyncIterable<ReplyEvent[]> {
  return pushed(async (emit) => {
    const timeoutMs = timeoutOf(deps, request);
    const clock = new Deadline(signal, timeoutMs);
    try {
      const transcript = openTranscript(request);
      transcript.answeredBy = answeredBy;
      if (answeredBy) await emit([{ type: "answered_by", ...answeredBy }]);
      await deliver(loop(deps, request, transcript, clock.signal), emit);
    } catch (cause) {
      const error = clock.late ? runTimeout(timeoutMs) : cause;
      if (!(error instanceof ApiError)) throw error;
      await emit([toErrorEvent(error)]);
    } finally {
      clock.stop();
    }
  });
}

async function completeRun(
  deps: Deps,
  { request, answeredBy }: Admitted,
  signal: AbortSignal,
): Promise<RunResult> {
  const timeoutMs = timeoutOf(deps, request);
  const clock = new Deadline(signal, timeoutMs);
  const transcript = openTranscript(request);
  transcript.answeredBy = answeredBy;
  try {
    for await (const _ of loop(deps, request, transcript, clock.signal));
  } catch (cause) {
    throw addProgress(clock.late ? runTimeout(timeoutMs) : cause, transcript);
  } finally {
    clock.stop();
  }
  return { ...toProgress(transcript), finishReason: transcript.finishReason ?? "stop" };
}

/** A run that has time of its own gets what others have for its last calls and turns. */
function timeoutOf({ runTimeoutMs }: Deps, { ending }: RunRequest): number {
  return runTimeoutMs + (ending?.seconds ?? 0) * 1_000;
}

/** The result of a run so far. */
function toProgress(transcript: Transcript): Omit<RunResult, "finishReason"> {
  const {
    answer: content,
    iterations,
    usage,
    messages,
    toolCalls,
    answeredBy,
  } = transcript;
  return {
    content,
    iterations,
    usage: usage ?? { inputTokens: 0, outputTokens: 0 },
    messages,
    toolCalls,
    ...(answeredBy && { answeredBy }),
  };
}

/** The error that ended the loop as a 502 or 504, with the progress of the run in `details`. */
function addProgress(error: unknown, transcript: Transcript): unknown {
  if (!(error instanceof ApiError)) return error;
  const details: Record<string, unknown> = { ...toProgress(transcript) };
  if (error.details !== undefined) details["cause"] = error.details;
  const options = { details, params: error.params };
  return error.status === 504
    ? new GatewayTimeout(error.code, error.message, options)
    : new BadGateway(error.code, error.message, options);
}

function runTimeout(ms: number): GatewayTimeout {
  return new GatewayTimeout(
    "run_timeout",
    `The run was ended after ${ms / 1000} s. Ask for less at once, or raise AGENT_RUN_TIMEOUT.`,
    { params: { seconds: ms / 1000 } },
  );
}
