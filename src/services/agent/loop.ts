import type { Message, ToolCall } from "../completion/contract.ts";
import type { ListedTool } from "../tool-gateway/contract.ts";
import { askModel, type Complete, toCompletionRequest } from "./ask-model.ts";
import type { RunRequest } from "./contract.ts";
import { isUsedUp } from "./contract-budget.ts";
import type { FinishReason, ReplyEvent } from "./contract-events.ts";
import { Transcript } from "./contract-transcript.ts";
import { divideCalls } from "./ready-calls.ts";
import { runTools } from "./run-tools.ts";
import type { Toolbox } from "./toolbox.ts";

export interface LoopDeps {
  complete: Complete;
  openToolbox: (request: RunRequest, signal: AbortSignal) => Promise<Toolbox>;
}

const NO_TOKENS = { inputTokens: 0, outputTokens: 0 };

/** What the steps of one loop share. */
interface Run {
  request: RunRequest;
  toolbox: Toolbox;
  transcript: Transcript;
  signal: AbortSignal;
}

/** The transcript of a run, which holds its result so far at any time. */
export function openTranscript({ messages }: RunRequest): Transcript {
  return new Transcript({ openCalls: findOpenCalls(messages) });
}

/**
 * Asks the model, runs the tools that it calls, and asks again, until it answers with text alone,
 * the last permitted turn was made, a budget is used up, or a call waits for the user's decision.
 * Yields events in batches as they arrive, `done` last.
 * @throws ApiError of the completion service, the gateway or core: each ends the loop.
 */
export async function* loop(
  { complete, openToolbox }: LoopDeps,
  request: RunRequest,
  transcript: Transcript,
  signal: AbortSignal,
): AsyncGenerator<ReplyEvent[]> {
  const toolbox = await openToolbox(request, signal);
  const run: Run = { request, toolbox, transcript, signal };
  if (transcript.openCalls.length > 0 && (yield* answerCalls(run, request.decisions)))
    return yield finish(transcript, "approval");
  for (;;) {
    const iteration = transcript.beginTurn();
    const usedUp = isUsedUp(request.budgets, transcript.usage ?? NO_TOKENS);
    const isLast = usedUp || iteration === request.maxIterations;
    const tools = isLast ? [] : toolbox.tools;
    const turn = toCompletionRequest(request, toHistory(run), tools, iteration);
    const finishReason = yield* askModel(complete, turn, transcript, signal);
    if (isLast) return yield finish(transcript, usedUp ? "budget" : "max_iterations");
    if (transcript.openCalls.length === 0) return yield finish(transcript, finishReason);
    if (yield* answerCalls(run)) return yield finish(transcript, "approval");
  }
}

/** The messages that the model reads. */
function toHistory({ request: { instructions, messages }, transcript }: Run): Message[] {
  const history: Message[] = [...messages, ...transcript.messages];
  if (instructions) history.unshift({ role: "system", content: instructions });
  return history;
}

function finish(transcript: Transcript, finishReason: FinishReason): ReplyEvent[] {
  const { answer: content, iterations, usage, messages } = transcript;
  const done = {
    type: "done" as const,
    content,
    finishReason,
    iterations,
    usage: usage ?? NO_TOKENS,
  };
  transcript.add(done);
  return [finishReason === "approval" ? { ...done, messages } : done];
}

/** Runs the calls that may run. @returns whether others wait for the user. */
async function* answerCalls(
  { toolbox, request, transcript, signal }: Run,
  decisions: RunRequest["decisions"] = [],
): AsyncGenerator<ReplyEvent[], boolean> {
  const calls = transcript.openCalls;
  const { ready, waiting } = divideCalls(calls, toolbox.tools, request, decisions);
  for await (const events of runTools(toolbox, ready, signal)) {
    for (const event of events) transcript.add(event);
    yield events;
  }
  if (waiting.length > 0) yield waiting.map((call) => toApproval(call, toolbox.tools));
  return waiting.length > 0;
}

function toApproval(
  { id, name, arguments: values }: ToolCall,
  tools: readonly ListedTool[],
): ReplyEvent {
  const tool = tools.find((one) => one.name === name);
  const event: ReplyEvent = { type: "approval", toolCallId: id, name, arguments: values };
  if (tool) event.server = tool.server;
  if (tool?.fingerprint !== undefined) event.fingerprint = tool.fingerprint;
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
