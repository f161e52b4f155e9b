import type { Database } from "../../../platform/db/database.ts";
import { type Fetch, stream } from "../../../platform/http/call.ts";
import {
  agentContract,
  type PlatformTools,
  type RunRequest,
} from "../../agent/contract.ts";
import type { ReplyEvent } from "../../agent/contract-events.ts";
import { toReplyEvents } from "../../agent/contract-model-events.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import { completionContract, type CompletionRequest } from "../../completion/contract.ts";
import { allowedToolsOf } from "../approvals/allowed-tools.ts";
import { flowSessionOf } from "../flows/flow-session.ts";
import type { Flows } from "../flows/flows.ts";
import { isPlatformTool, listPlatformTools } from "../tools/platform-tools.ts";
import { closeToolSession, openToolSession } from "../tools/tool-sessions.ts";
import type { ReplyRun } from "./run-reply.ts";

export interface ModelDeps {
  db: Database;
  log: Logger;
  agent: Fetch;
  completion: Fetch;
  /** The longest time without an event from either service. */
  timeoutMs: number;
  flows: Flows | undefined;
}

const MAX_ITERATIONS = 15;

/** Asks the agent service when the run has tools, the completion service when it has none. */
export async function* runModel(
  deps: ModelDeps,
  run: ReplyRun,
  signal: AbortSignal,
): AsyncGenerator<ReplyEvent[]> {
  const platformTools = await openPlatformTools(deps, run, signal);
  const tools = run.plan.tools.filter((name) => !isPlatformTool(name));
  if (!platformTools && tools.length === 0) return yield* runCompletion(deps, run, signal);
  try {
    const body = await toRunRequest(deps, run, tools, platformTools);
    const options = { signal, timeoutMs: deps.timeoutMs };
    yield* stream(deps.agent, agentContract.run, { body }, options);
  } finally {
    if (platformTools) await close(deps, platformTools);
  }
}

/** Opens a session for the tools of the platform that the run may call, if there are any. */
async function openPlatformTools(
  { db, flows }: ModelDeps,
  { plan, userId, conversationId, messageId, messages, sources = [] }: ReplyRun,
  signal: AbortSignal,
): Promise<PlatformTools | undefined> {
  const { tools: names, retrieval, contextWindow } = plan;
  const wanted = { names, userId, conversationId, retrieval };
  const tools = await listPlatformTools({ flows }, wanted, signal);
  if (tools.length === 0) return undefined;
  const definition = {
    userId,
    conversationId,
    messageId,
    tools: tools.map(({ name }) => name),
    flowSession: flowSessionOf(conversationId, messages),
    retrieval,
    contextWindow,
  };
  const { id: sessionId } = await openToolSession(db, definition, sources);
  return { sessionId, tools };
}

/** A session that stays open is deleted later: it must not fail the reply. */
function close({ db, log }: ModelDeps, { sessionId }: PlatformTools): Promise<void> {
  return closeToolSession(db, sessionId).catch((error: unknown) =>
    log.warn({ err: error, sessionId }, "a tool session could not be closed"),
  );
}

async function toRunRequest(
  { db }: ModelDeps,
  { plan, userId, messages, decisions, maxTokens, conversationId }: ReplyRun,
  tools: string[],
  platformTools: PlatformTools | undefined,
): Promise<RunRequest> {
  const { model, approval, instructions, temperature, budgets, agent } = plan;
  const request: RunRequest = {
    model,
    messages,
    tools,
    stream: true,
    maxIterations: MAX_ITERATIONS,
    approval,
    context: { userId, conversationId, agentId: agent?.id },
  };
  if (platformTools) request.platformTools = platformTools;
  if (approval === "destructive") request.allowedTools = await allowedToolsOf(db, userId);
  if (instructions) request.instructions = instructions;
  if (temperature !== undefined) request.temperature = temperature;
  if (maxTokens !== undefined) request.maxTokens = maxTokens;
  if (budgets) request.budgets = budgets;
  if (decisions) request.decisions = decisions;
  return request;
}

async function* runCompletion(
  { completion, timeoutMs }: ModelDeps,
  { plan, userId, conversationId, messages, maxTokens }: ReplyRun,
  signal: AbortSignal,
): AsyncGenerator<ReplyEvent[]> {
  const { model, instructions, temperature, agent } = plan;
  const body: CompletionRequest = {
    model,
    messages: instructions
      ? [{ role: "system", content: instructions }, ...messages]
      : messages,
    stream: true,
    context: { userId, conversationId, agentId: agent?.id },
  };
  if (temperature !== undefined) body.temperature = temperature;
  if (maxTokens !== undefined) body.maxTokens = maxTokens;
  const options = { signal, timeoutMs };
  for await (const batch of stream(
    completion,
    completionContract.complete,
    { body },
    options,
  ))
    yield toReplyEvents(batch);
}
