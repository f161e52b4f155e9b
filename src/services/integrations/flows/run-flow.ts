import { createHash } from "node:crypto";
import { uuidv7 } from "uuidv7";
import { ApiError, Forbidden } from "../../../platform/http/errors.ts";
import { toErrorEvent } from "../../../platform/http/reported-error.ts";
import type { FlowEvent, FlowResult, RunFlow } from "../contract-flows.ts";
import type { RunPart } from "../providers/provider.ts";
import { type FlowDeps, findFlow, type FlowUser, withKeyOf } from "./find-flow.ts";
import type { ReadFiles } from "./flow-files.ts";
import { mayRun } from "./list-flows.ts";
import type { RunningFlows } from "./running-flows.ts";

export interface FlowRunDeps extends FlowDeps {
  readFiles: ReadFiles;
  running: RunningFlows;
}

/**
 * Runs a flow as a user, with the key of the account that holds it. Resolves when the provider has
 * accepted the run; its events end with one `done` or `error`. Ending the iteration, or losing
 * access to the flow, ends the run at the provider.
 * @throws NotFound `flow_not_found`, Forbidden `tweaks_not_permitted`, and what the provider's
 * adapter throws.
 */
export async function runFlow(
  deps: FlowRunDeps,
  user: FlowUser,
  flowId: string,
  ask: RunFlow,
  signal: AbortSignal,
): Promise<AsyncGenerator<FlowEvent[]>> {
  const startedAt = performance.now();
  const { userId } = user;
  const { flow, owned } = await findFlow(deps, user, flowId, signal);
  if (ask.tweaks && !owned)
    throw new Forbidden(
      "tweaks_not_permitted",
      "Only the owner of a flow may change its settings for a run. Leave `tweaks` out.",
    );
  const run = deps.running.begin(userId, flowId);
  const until = AbortSignal.any([signal, run.signal]);
  try {
    const sessionId = ask.sessionId ?? uuidv7();
    const files = await deps.readFiles(userId, ask.files, until);
    const { input, inputType, outputType, tweaks } = ask;
    const sent = {
      flowId,
      input,
      inputType,
      outputType,
      tweaks,
      files,
      sessionId: sessionOf(deps.provider.name, userId, sessionId),
    };
    const parts = await withKeyOf(deps, flow, until, (key) =>
      deps.provider.flows.run(key, sent, until),
    );
    // access may have been revoked since the check, before the run could be ended
    if (!owned && !(await mayRun(deps, userId, flowId)))
      await deps.running.revoked([userId], flowId);
    const whole = (output: string, outputs: FlowResult["outputs"]): FlowResult => ({
      flowId,
      sessionId,
      output,
      outputs,
      durationMs: Math.round(performance.now() - startedAt),
    });
    return events(parts, whole, run);
  } catch (error) {
    run.end();
    if (run.signal.aborted) throw run.signal.reason;
    throw error;
  }
}

/** Returns the whole result. @throws ApiError for an error event. */
export async function wholeResult(events: AsyncIterable<FlowEvent[]>): Promise<FlowResult> {
  for await (const batch of events)
    for (const event of batch) {
      if (event.type === "error")
        throw new ApiError(
          event.code === "flow_revoked" ? 403 : 502,
          event.code,
          event.error,
          { params: event.params },
        );
      if (event.type === "done") {
        const { type: _, ...result } = event;
        return result;
      }
    }
  throw new Error("a run ended without a result");
}

async function* events(
  parts: AsyncIterable<RunPart[]>,
  whole: (output: string, outputs: FlowResult["outputs"]) => FlowResult,
  run: { signal: AbortSignal; end: () => void },
): AsyncGenerator<FlowEvent[]> {
  try {
    for await (const batch of parts)
      yield batch.map((part): FlowEvent =>
        part.type === "text"
          ? { type: "text_delta", delta: part.delta }
          : { type: "done", ...whole(part.output, part.outputs) },
      );
  } catch (error) {
    const failure: unknown = run.signal.aborted ? run.signal.reason : error;
    if (!(failure instanceof ApiError)) throw failure;
    yield [toErrorEvent(failure)];
  } finally {
    run.end();
  }
}

/**
 * Names the session at the provider. Without a name for each user, all users of the flow would
 * share the provider's memory.
 */
function sessionOf(provider: string, userId: string, sessionId: string): string {
  return `parlance-${createHash("sha256")
    .update(JSON.stringify([provider, userId, sessionId]))
    .digest("base64url")}`;
}
