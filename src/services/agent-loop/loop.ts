import { deliver, type Emit, pushed, thenThrow } from "../../platform/batches.ts";
import type {
  Message,
  ToolCall,
  CompletionEvent,
  CompletionRequest,
  ToolDescriptor,
  Usage,
} from "../completion/contract.ts";
import type { ListedTool } from "../tool-gateway/contract.ts";
import type { RunRequest } from "./contract.ts";
import { isUsedUp } from "./contract-budget.ts";
import type { EndsBecause, FinishReason, ReplyEvent } from "./contract-events.ts";
import { Transcript } from "./contract-transcript.ts";
import { divideCalls, type WaitingCall } from "./ready-calls.ts";
import { runTools } from "./run-tools.ts";
import type { Toolbox } from "./toolbox.ts";
import { joinLabels } from "../users/contract-judge-labels.ts";
import { BadGateway } from "../../platform/http/errors.ts";
import { toReplyEvents } from "./contract-model-events.ts";

export interface LoopDeps {
  complete: Complete;
  openToolbox: (request: RunRequest, signal: AbortSignal) => Promise<Toolbox>;
}

/** In a warning. */
const MAX_NAMED_TOOLS = 5;
const NO_TOKENS = { inputTokens: 0, outputTokens: 0 };

/** What the steps of one loop share. */
interface Run {
  request: RunRequest;
  toolbox: Toolbox;
  transcript: Transcript;
  signal: AbortSignal;
  startedAt: number;
  emit: Emit<ReplyEvent[]>;
  /** The limit that was reached. */
  endsBecause?: EndsBecause;
}

/** The transcript of a run, which holds its result so far at any time. */
export function openTranscript({ messages }: RunRequest): Transcript {
  const openCalls = findOpenCalls(messages);
  return new Transcript({ openCalls, continuesText: openCalls.length > 0 });
}

/**
 * Asks the model, runs the tools that it calls, and asks again, until it answers with text alone,
 * the last permitted turn was made, a budget is used up, or a call waits for the user's decision.
 * Where the run has tools to end by, they have one turn before that.
 * Its events are in batches as they arrive, `done` last.
 * @throws ApiError of the completion service, the gateway or core: each ends the loop.
 */
export function loop(
  deps: LoopDeps,
  request: RunRequest,
  transcript: Transcript,
  signal: AbortSignal,
): AsyncIterable<ReplyEvent[]> {
  return pushed(async (emit) => {
    const toolbox = await deps.openToolbox(request, signal);
    const startedAt = performance.now();
    const run: Run = { request, toolbox, transcript, signal, startedAt, emit };
    if (toolbox.missing.length > 0) await emit([missingWarning(toolbox.missing)]);
    await emit(finish(transcript, await takeTurns(deps, run)));
  });
}

/** @returns why the run ends. */
async function takeTurns({ complete }: LoopDeps, run: Run): Promise<FinishReason> {
  const { request, toolbox, transcript, emit, signal } = run;
  if (transcript.openCalls.length > 0 && (await answerCalls(run, request.decisions)))
    return "approval";
  for (;;) {
    const iteration = transcript.beginTurn();
    const limit = limitReached(run, iteration);
    const closing = limit ? closingTools(run) : [];
    if (limit) run.endsBecause = limit;
    const tools = limit ? closing : (toolbox.offered ?? toolbox.tools);
    const turn = toCompletionRequest(request, toHistory(run), tools, iteration);
    const labels = labelsOf(run);
    if (labels.length > 0) turn.labels = labels;
    if (closing.length > 0) turn.toolChoice = "required";
    const finishReason = await passTurn(complete(turn, signal), transcript, emit);
    const end = limit && closing.length === 0 ? toFinish(limit) : finishReason;
    // a reply that was cut or filtered is no whole decision of the model
    if (end !== "stop") await refuseCalls(run, end);
    if (transcript.openCalls.length === 0)
      return limit && end === "stop" ? toFinish(limit) : end;
    const offered = closing.length > 0 ? { ...run, toolbox: only(closing, run) } : run;
    if (await answerCalls(offered)) return "approval";
  }
}

/** Of all that the run has read. */
function labelsOf({ request, transcript }: Pick<Run, "request" | "transcript">) {
  return joinLabels(request.labels ?? [], transcript.labels);
}

function toFinish(limit: EndsBecause): FinishReason {
  return limit === "turns" ? "max_iterations" : "budget";
}

/** Which limit of the run allows no further turn with its tools, if one does. */
function limitReached(run: Run, iteration: number): EndsBecause | undefined {
  const { request, transcript, endsBecause, startedAt } = run;
  if (endsBecause) return endsBecause;
  if (isUsedUp(request.budgets, transcript.usage ?? NO_TOKENS)) return "budget";
  const { ending } = request;
  if (ending && performance.now() - startedAt >= ending.seconds * 1_000) return "time";
  // the turn that closes the run is one of them
  const more = ending && request.maxIterations > 1 ? 1 : 0;
  return iteration >= request.maxIterations - more ? "turns" : undefined;
}

/** The tools by which the run may end, unless it did, or had its turn for that. */
function closingTools(run: Run): ListedTool[] {
  const { request, toolbox, transcript, endsBecause } = run;
  const names = request.ending?.tools ?? [];
  const isDone = transcript.toolCalls.some(
    ({ name, isError }) => names.includes(name) && !isError,
  );
  if (endsBecause || isDone) return [];
  return toolbox.tools.filter(({ name }) => names.includes(name));
}

/** The toolbox with these tools alone, whose calls say why the run ends. */
function only(tools: readonly ListedTool[], { toolbox, endsBecause }: Run): Toolbox {
  return {
    tools,
    missing: [],
    call: (name, values, signal, _, callId) =>
      toolbox.call(name, values, signal, endsBecause, callId),
  };
}

function missingWarning(missing: readonly string[]): ReplyEvent {
  const named = missing.slice(0, MAX_NAMED_TOOLS).map((name) => `“${name}”`);
  const more = missing.length > named.length ? ", …" : "";
  const names = named.join(", ") + more;
  return {
    type: "warning",
    code: "tools_missing",
    message: `Answered without these tools, which are not there now: ${names}.`,
    params: { names },
  };
}

/** The messages that the model reads. */
function toHistory({ request: { instructions, messages }, transcript }: Run): Message[] {
  const history: Message[] = [...messages, ...transcript.messages];
  if (instructions) history.unshift({ role: "system", content: instructions });
  return history;
}

function finish(transcript: Transcript, finishReason: FinishReason): ReplyEvent[] {
  const { answer: content, iterations, usageOfRun, messages, answeredBy } = transcript;
  const done = {
    type: "done" as const,
    content,
    finishReason,
    iterations,
    usage: usageOfRun ?? NO_TOKENS,
    ...(answeredBy && { answeredBy }),
  };
  transcript.add(done);
  return [finishReason === "approval" ? { ...done, messages } : done];
}

/** Runs the calls that may run. @returns whether others wait for the user. */
async function answerCalls(
  { toolbox, request, transcript, signal, emit }: Run,
  decisions: RunRequest["decisions"] = [],
): Promise<boolean> {
  const calls = transcript.openCalls;
  const { tools } = toolbox;
  const read = [...request.messages, ...transcript.messages];
  const labels = labelsOf({ request, transcript });
  const turn = { calls, tools, request, read, labels, decisions };
  const { ready, waiting } = divideCalls(turn);
  const onUsage = (usage: Usage) => transcript.addUsage(usage);
  const onUserNeeded = (one: WaitingCall) => void waiting.push(one);
  // a run that waits for nobody says it to the model
  const mayWait = request.approval !== "never";
  const running = runTools(
    toolbox,
    ready,
    signal,
    onUsage,
    mayWait ? onUserNeeded : undefined,
  );
  for await (const events of running) {
    for (const event of events) transcript.add(event);
    await emit(events);
  }
  if (waiting.length > 0) await emit(waiting.map((one) => toApproval(one, tools)));
  return waiting.length > 0;
}

/** Answers calls that do not run, because the run ends for this reason. */
async function refuseCalls(
  { toolbox, transcript, signal, emit }: Run,
  reason: FinishReason,
): Promise<void> {
  const refusal = `not_run: the reply ended first (${reason}).`;
  const refused = transcript.openCalls.map((call) => ({ call, refusal }));
  for await (const events of runTools(toolbox, refused, signal)) {
    for (const event of events) transcript.add(event);
    await emit(events);
  }
}

function toApproval(
  { call: { id, name, arguments: values }, because, label, visit }: WaitingCall,
  tools: readonly ListedTool[],
): ReplyEvent {
  const tool = tools.find((one) => one.name === name);
  const event: ReplyEvent = { type: "approval", toolCallId: id, name, arguments: values };
  if (tool) event.server = tool.server;
  if (tool?.fingerprint !== undefined) event.fingerprint = tool.fingerprint;
  if (because) event.because = because;
  if (label !== undefined) event.label = label;
  if (visit) event.visit = visit;
  return event;
}

/** The calls at the end of the messages that have no result yet. */
function findOpenCalls(messages: readonly Message[]): ToolCall[] {
  const at = messages.findLastIndex(
    ({ role, toolCalls = [] }) => role === "assistant" && toolCalls.length > 0,
  );
  if (at < 0 || messages.slice(at + 1).some(({ role }) => role !== "tool")) return [];
  const answered = new Set(messages.slice(at + 1).map(({ toolCallId }) => toolCallId));
  return (messages[at]?.toolCalls ?? []).filter(({ id }) => !answered.has(id));
}

type Complete = (
  request: CompletionRequest,
  signal: AbortSignal,
) => AsyncIterable<CompletionEvent[]>;

/**
 * Passes on one turn of the model. Its events are added to the transcript.
 * @returns why the turn ended.
 * @throws BadGateway with the code of the provider, or `completion_cut`.
 */
async function passTurn(
  turn: AsyncIterable<CompletionEvent[]>,
  transcript: Transcript,
  emit: Emit<ReplyEvent[]>,
): Promise<FinishReason> {
  const end: { because?: FinishReason } = {};
  await deliver(turn, (batch) => {
    const events = toReplyEvents(batch);
    for (const [at, given] of events.entries()) {
      const event = separated(given, transcript);
      events[at] = event;
      if (event.type === "error") {
        const error = new BadGateway(event.code, event.error, { params: event.params });
        return thenThrow(at > 0 ? emit(events.slice(0, at)) : undefined, error);
      }
      if (event.type !== "done") {
        transcript.add(event);
        continue;
      }
      end.because = event.finishReason;
      transcript.addTurn(event.usage);
    }
    if (events.at(-1)?.type === "done") events.pop();
    return events.length > 0 ? emit(events) : undefined;
  });
  if (end.because !== undefined) return end.because;
  throw new BadGateway(
    "completion_cut",
    "The completion service stopped in the middle of a reply. Try again.",
  );
}

/** The event with a blank line before its text, where one is due. */
function separated(event: ReplyEvent, transcript: Transcript): ReplyEvent {
  if (event.type !== "text_delta") return event;
  const delta = transcript.separated(event.delta);
  return delta === event.delta ? event : { ...event, delta };
}

/** The request for a turn. `iteration` counts from 1. */
function toCompletionRequest(
  request: RunRequest,
  messages: Message[],
  tools: readonly ListedTool[],
  iteration: number,
): CompletionRequest {
  const { model, stream, toolChoice, context, temperature, maxTokens } = request;
  const turn: CompletionRequest = { ...request.parameters, model, messages, stream };
  if (tools.length > 0) {
    turn.tools = tools.map(toDescriptor);
    // required holds for the first turn only, or the loop could not end
    const choice = toolChoice === "required" && iteration > 1 ? "auto" : toolChoice;
    if (choice) turn.toolChoice = choice;
  }
  if (context) turn.context = context;
  if (temperature !== undefined) turn.temperature = temperature;
  if (maxTokens !== undefined) turn.maxTokens = maxTokens;
  return turn;
}

function toDescriptor({ name, description, inputSchema }: ListedTool): ToolDescriptor {
  return { name, description, inputSchema };
}
