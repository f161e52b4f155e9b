import { deliver, type Emit, pushed } from "../../../platform/batches.ts";
import type { Database } from "../../../platform/db/database.ts";
import { type Fetch, stream } from "../../../platform/http/call.ts";
import type { ApiError } from "../../../platform/http/errors.ts";
import { toStoredFailure } from "../../../platform/http/reported-error.ts";
import {
  agentContract,
  type PlatformTools,
  type RunRequest,
} from "../../agent-loop/contract.ts";
import type { ReplyEvent } from "../../agent-loop/contract-events.ts";
import { toReplyEvents } from "../../agent-loop/contract-model-events.ts";
import { contextOf, Transcript } from "../../agent-loop/contract-transcript.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import {
  completionContract,
  type CompletionEvent,
  type CompletionRequest,
  type Usage,
} from "../../completion/contract.ts";
import { NOT_SET_UP } from "../../web/contract-not-set-up.ts";
import { allowedToolsOf } from "../approvals/allowed-tools.ts";
import { flowSessionOf } from "../flows/flows.ts";
import type { Labels } from "../labels/labels.ts";
import { type Offer, offerPlatformTools } from "../tools/platform-tools.ts";
import { closeToolSession, openToolSession } from "../tools/tool-sessions.ts";
import { type OfferDeps } from "../tools/toolset.ts";
import { isPlatformTool } from "../tools/toolsets.ts";
import type { PreparedReply } from "./reply-to-make.ts";

export interface ModelDeps extends OfferDeps {
  db: Database;
  log: Logger;
  agent: Fetch;
  completion: Fetch;
  labels: Labels;
  /** The longest time without an event from either service. */
  timeoutMs: number;
}

const MAX_ITERATIONS = 15;
/** Further turns of a model that calls a tool though none is offered. */
const MAX_TURNS_WITHOUT_TOOLS = 2;

/** Asks the agent loop when the reply has tools, the completion service when it has none. */
export function runModel(
  deps: ModelDeps,
  reply: PreparedReply,
  signal: AbortSignal,
): AsyncIterable<ReplyEvent[]> {
  return pushed((emit) => runOffered(deps, reply, signal, emit));
}

async function runOffered(
  deps: ModelDeps,
  reply: PreparedReply,
  signal: AbortSignal,
  emit: Emit<ReplyEvent[]>,
): Promise<void> {
  const { plan, userId, conversationId } = reply;
  const { tools: names, retrieval, withoutTools, answeredBy } = plan;
  if (answeredBy) await emit([{ type: "answered_by", ...answeredBy }]);
  const wanted = { names, userId, conversationId, retrieval, withoutTools };
  const offer = await offerPlatformTools(deps, wanted, signal);
  const lacking = offer.lacking.filter((lack) => isMissed(lack, reply));
  if (lacking.length > 0) await emit(lacking.map(toWarning));
  const informed = informReply(reply, offer);
  const platformTools = await openPlatformTools(deps, reply, offer);
  await runWithTools(deps, informed, platformTools, signal, emit);
}

async function runWithTools(
  deps: ModelDeps,
  reply: PreparedReply,
  platformTools: PlatformTools | undefined,
  signal: AbortSignal,
  emit: Emit<ReplyEvent[]>,
): Promise<void> {
  const tools = reply.plan.tools.filter((name) => !isPlatformTool(name));
  if (!platformTools && tools.length === 0) return runCompletion(deps, reply, signal, emit);
  try {
    const body = await toRunRequest(deps, reply, tools, platformTools);
    const options = { signal, timeoutMs: deps.timeoutMs };
    await deliver(stream(deps.agent, agentContract.run, { body }, options), emit);
  } finally {
    if (platformTools) await close(deps, platformTools);
  }
}

/** Who is answered from the pages that they named does not miss a search engine. */
function isMissed({ code }: ApiError, { sources = [] }: PreparedReply): boolean {
  return code !== NOT_SET_UP || !sources.some(({ url }) => url !== undefined);
}

/** A toolset that cannot be used is not offered, and a warning says why. */
function toWarning(lack: ApiError): ReplyEvent {
  return { type: "warning", ...toStoredFailure(lack) };
}

/** The reply with what the model needs to know of the tools that it is offered. */
function informReply(reply: PreparedReply, { instructions }: Offer): PreparedReply {
  if (instructions.length === 0) return reply;
  const all = [reply.plan.instructions, ...instructions].filter(Boolean).join("\n\n");
  return { ...reply, plan: { ...reply.plan, instructions: all } };
}

/** Opens a session for the tools of the platform that the reply may call, if there are any. */
async function openPlatformTools(
  { db }: ModelDeps,
  {
    plan,
    userId,
    conversationId,
    messageId,
    messages,
    sources = [],
    labels = [],
  }: PreparedReply,
  { tools }: Offer,
): Promise<PlatformTools | undefined> {
  if (tools.length === 0) return undefined;
  const { retrieval, contextWindow } = plan;
  const definition = {
    userId,
    conversationId,
    messageId,
    tools: tools.map(({ name }) => name),
    flowSession: flowSessionOf(conversationId, messages),
    retrieval,
    contextWindow,
    model: plan.model,
    agentId: plan.agent?.id,
  };
  const { id: sessionId } = await openToolSession(db, definition, sources, labels);
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
  reply: PreparedReply,
  tools: string[],
  platformTools: PlatformTools | undefined,
): Promise<RunRequest> {
  const { plan, userId, messages, decisions, maxTokens, conversationId, sources } = reply;
  const { model, approval, instructions, temperature, budgets, agent, ending } = plan;
  const request: RunRequest = {
    model,
    messages,
    tools,
    stream: true,
    maxIterations: MAX_ITERATIONS,
    contextWindow: plan.contextWindow,
    approval,
    context: { userId, conversationId, agentId: agent?.id },
  };
  if (platformTools) request.platformTools = platformTools;
  if (approval === "destructive") request.allowedTools = await allowedToolsOf(db, userId);
  // pages that the message names are read before the loop begins
  const readsPages = sources?.some(({ url }) => url !== undefined);
  if (readsPages || reply.readsOpenWorld) request.hasReadOpenWorld = true;
  if (reply.labels && reply.labels.length > 0) request.labels = [...reply.labels];
  if (instructions) request.instructions = instructions;
  if (temperature !== undefined) request.temperature = temperature;
  if (plan.parameters) request.parameters = plan.parameters;
  if (maxTokens !== undefined) request.maxTokens = maxTokens;
  if (budgets) request.budgets = budgets;
  if (ending) request.ending = ending;
  if (decisions) request.decisions = decisions;
  return request;
}

/** One turn of the model, or more when it calls a tool though none is offered. */
async function runCompletion(
  deps: ModelDeps,
  reply: PreparedReply,
  signal: AbortSignal,
  emit: Emit<ReplyEvent[]>,
): Promise<void> {
  const turn = new Transcript();
  const last: { done?: ReplyEvent | undefined } = {};
  let text = "";
  await deliver(streamCompletion(deps, reply, signal), (batch) => {
    const events = toReplyEvents(batch);
    if (events.at(-1)?.type === "done") last.done = events.pop();
    for (const event of events) {
      if (event.type === "text_delta") text += event.delta;
      else turn.add(event);
    }
    return events.length > 0 ? emit(events) : undefined;
  });
  const { done } = last;
  if (done?.type !== "done") return;
  // once, and not each word: it stands before the calls of its turn, whenever it came
  turn.add({ type: "text_delta", delta: text });
  const isWhole = done.finishReason === "stop" && turn.openCalls.length > 0;
  if (isWhole) await refuseCalls(deps, reply, { turn, used: done.usage }, signal, emit);
  else await emit([done]);
}

function streamCompletion(
  { completion, timeoutMs }: ModelDeps,
  {
    plan,
    userId,
    conversationId,
    messages,
    maxTokens,
    labels = [],
    sources = [],
  }: PreparedReply,
  signal: AbortSignal,
): AsyncIterable<CompletionEvent[]> {
  const { model, instructions, temperature, agent } = plan;
  const body: CompletionRequest = {
    ...plan.parameters,
    model,
    messages: instructions
      ? [{ role: "system", content: instructions }, ...messages]
      : messages,
    stream: true,
    context: { userId, conversationId, agentId: agent?.id },
  };
  if (temperature !== undefined) body.temperature = temperature;
  if (maxTokens !== undefined) body.maxTokens = maxTokens;
  if (labels.length > 0) body.labels = [...labels];
  // the next question finds other passages, which stand among the instructions
  if (sources.length > 0) body.once = true;
  return stream(completion, completionContract.complete, { body }, { signal, timeoutMs });
}

/** The agent loop answers the calls as it answers those of tools that it does not offer. */
async function refuseCalls(
  deps: ModelDeps,
  reply: PreparedReply,
  { turn, used }: { turn: Transcript; used: Usage },
  signal: AbortSignal,
  emit: Emit<ReplyEvent[]>,
): Promise<void> {
  const again = { ...reply, messages: [...reply.messages, ...turn.messages] };
  const body = await toRunRequest(deps, again, [], undefined);
  body.maxIterations = MAX_TURNS_WITHOUT_TOOLS;
  const options = { signal, timeoutMs: deps.timeoutMs };
  await deliver(stream(deps.agent, agentContract.run, { body }, options), (batch) =>
    emit(batch.map((event) => (event.type === "done" ? added(event, used) : event))),
  );
}

function added(done: Extract<ReplyEvent, { type: "done" }>, used: Usage): ReplyEvent {
  const sum = new Transcript();
  sum.addUsage(used);
  sum.addUsage(done.usage);
  const usage = { ...(sum.usage ?? used), contextTokens: contextOf(done.usage) };
  return { ...done, iterations: done.iterations + 1, usage };
}
