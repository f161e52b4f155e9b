import { BadGateway } from "../../platform/http/errors.ts";
import type {
  CompletionEvent,
  CompletionRequest,
  Message,
  ToolCall,
  ToolDescriptor,
} from "../completion/contract.ts";
import type { ListedTool } from "../tool-gateway/contract.ts";
import { needsApproval } from "./contract-approval.ts";
import type { FinishReason, RunEvent, RunRequest } from "./contract.ts";
import { isUsedUp } from "./contract-budget.ts";
import { addUsage, openCalls, type Progress } from "./progress.ts";
import { type CallTool, type ReadyCall, runTools } from "./run-tools.ts";

export interface LoopDeps {
  complete: (request: CompletionRequest, signal: AbortSignal) => AsyncIterable<CompletionEvent[]>;
  /** The tools that there are, all of these names among them. */
  listTools: (names: ReadonlySet<string>, signal: AbortSignal) => Promise<readonly ListedTool[]>;
  callTool: CallTool;
}

/** What the steps of one loop share. */
interface Run {
  deps: LoopDeps;
  request: RunRequest;
  tools: ListedTool[];
  /** What the model is told so far. */
  history: Message[];
  progress: Progress;
  signal: AbortSignal;
}

/** Stands for the caller where a tool's server is named. */
const OWN = "";

interface Turn {
  text: string;
  calls: ToolCall[];
  finishReason: FinishReason;
}

/**
 * The loop: ask the model, run the tools that it asks for, ask again, until it answers with text
 * alone, 15 turns were made, a budget is used up, or a call waits for a person. Events come in
 * batches as they arrive, `done` last; `progress` holds the result so far, whatever happens.
 * @throws ApiError of the completion service or the gateway: either ends the loop.
 * Source: requirements 1, "POST /api/v1/agent/run"; design "Agent service".
 */
export async function* loop(
  deps: LoopDeps,
  request: RunRequest,
  progress: Progress,
  signal: AbortSignal,
): AsyncGenerator<RunEvent[]> {
  const run: Run = {
    deps,
    request,
    tools: await permittedTools(deps, request, signal),
    history: withInstructions(request),
    progress,
    signal,
  };
  const end = (finishReason: FinishReason): RunEvent[] => {
    progress.finishReason = finishReason;
    const { content, iterations, usage, messages } = progress;
    return [
      {
        type: "done",
        content,
        finishReason,
        iterations,
        usage,
        ...(finishReason === "approval" && { messages }),
      },
    ];
  };

  const open = openCalls(run.history);
  if (open.length > 0 && (yield* answerCalls(run, open, request.decisions)))
    return yield end("approval");

  for (;;) {
    progress.iterations += 1;
    const usedUp = isUsedUp(request.budgets, progress.usage);
    const last = usedUp || progress.iterations === request.maxIterations;
    const turn = yield* ask(run, last ? [] : run.tools);
    if (turn.calls.length === 0 || last) {
      add(run, { role: "assistant", content: turn.text });
      return yield end(usedUp ? "budget" : last ? "max_iterations" : turn.finishReason);
    }
    add(run, { role: "assistant", content: turn.text, toolCalls: turn.calls });
    if (yield* answerCalls(run, turn.calls)) return yield end("approval");
  }
}

function add({ history, progress }: Run, message: Message): void {
  history.push(message);
  progress.messages.push(message);
}

/** Runs the calls that may run. @returns whether others wait for a person. */
async function* answerCalls(
  run: Run,
  calls: ToolCall[],
  decisions: RunRequest["decisions"] = [],
): AsyncGenerator<RunEvent[], boolean> {
  const { ready, waiting } = sortedOut(calls, run.tools, run.request, decisions);
  const results = yield* runTools(run.deps.callTool, ready, run.progress, run.signal);
  for (const { toolCallId, content } of results) add(run, { role: "tool", toolCallId, content });
  if (waiting.length > 0) yield waiting.map((call) => approvalOf(call, run.tools));
  return waiting.length > 0;
}

function approvalOf({ id, name, arguments: given }: ToolCall, tools: ListedTool[]): RunEvent {
  const { server = OWN, fingerprint } = tools.find((tool) => tool.name === name) ?? {};
  return {
    type: "approval",
    toolCallId: id,
    name,
    arguments: given,
    ...(server !== OWN && { server }),
    ...(fingerprint !== undefined && { fingerprint }),
  };
}

async function permittedTools(
  { listTools }: LoopDeps,
  { tools = [], ownTools = [], toolChoice }: RunRequest,
  signal: AbortSignal,
): Promise<ListedTool[]> {
  if (toolChoice === "none") return [];
  const own = ownTools.map((tool): ListedTool => ({ ...tool, server: OWN }));
  if (tools.length === 0) return own;
  const permitted = new Set(tools.filter((name) => !own.some((tool) => tool.name === name)));
  return [
    ...own,
    ...(await listTools(permitted, signal)).filter(({ name }) => permitted.has(name)),
  ];
}

function withInstructions({ instructions, messages }: RunRequest): Message[] {
  return instructions ? [{ role: "system", content: instructions }, ...messages] : [...messages];
}

function completionRequest(
  request: RunRequest,
  messages: Message[],
  tools: ListedTool[],
  iteration: number,
): CompletionRequest {
  const { model, toolChoice, context, temperature, maxTokens } = request;
  const descriptors = tools.map(({ name, description, inputSchema }): ToolDescriptor => ({
    name,
    description,
    inputSchema,
  }));
  // required holds for the first turn only, or the loop could not end
  const choice = toolChoice === "required" && iteration > 1 ? "auto" : toolChoice;
  return {
    model,
    messages,
    stream: request.stream,
    ...(descriptors.length > 0 && { tools: descriptors, ...(choice && { toolChoice: choice }) }),
    ...(context && { context }),
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxTokens }),
  };
}

/** One turn of the model. */
async function* ask(
  { deps: { complete }, request: asked, history, progress, signal }: Run,
  tools: ListedTool[],
): AsyncGenerator<RunEvent[], Turn> {
  const request = completionRequest(asked, history, tools, progress.iterations);
  const turn: Turn = { text: "", calls: [], finishReason: "stop" };
  progress.content = "";
  let ended = false;
  for await (const batch of complete(request, signal)) {
    const events: RunEvent[] = [];
    for (const event of batch) {
      if (event.type === "text_delta") {
        turn.text += event.delta;
        events.push(event);
      } else if (event.type === "reasoning_delta") {
        events.push(event);
      } else if (event.type === "tool_call") {
        events.push(calls(turn, event));
      } else if (event.type === "message") {
        turn.text = event.content;
        if (event.content) events.push({ type: "text_delta", delta: event.content });
        for (const call of event.toolCalls) events.push(calls(turn, call));
        ended = finish(turn, progress, event);
      } else if (event.type === "done") {
        ended = finish(turn, progress, event);
      } else {
        throw new BadGateway(event.code, event.error);
      }
    }
    progress.content = turn.text;
    if (events.length > 0) yield events;
  }
  if (!ended)
    throw new BadGateway(
      "completion_cut",
      "The completion service broke off in the middle of a reply. Try again.",
    );
  return turn;
}

function calls(
  turn: Turn,
  { id, name, arguments: given }: { id: string; name: string; arguments: Record<string, unknown> },
): RunEvent {
  turn.calls.push({ type: "tool_call", id, name, arguments: given });
  return { type: "tool_call", toolCallId: id, name, arguments: given };
}

function finish(
  turn: Turn,
  progress: Progress,
  { finishReason, usage }: Extract<CompletionEvent, { type: "done" | "message" }>,
): true {
  turn.finishReason = finishReason === "tool_calls" ? "stop" : finishReason;
  addUsage(progress, usage);
  return true;
}

/**
 * Which calls run now, and which wait for a decision. A denied call and one that is not permitted
 * are ready: with their refusal.
 */
function sortedOut(
  calls: ToolCall[],
  tools: ListedTool[],
  request: RunRequest,
  decisions: NonNullable<RunRequest["decisions"]>,
) {
  const ready: ReadyCall[] = [];
  const waiting: ToolCall[] = [];
  for (const call of calls) {
    const tool = tools.find(({ name }) => name === call.name);
    const decided = decisions.find(({ toolCallId }) => toolCallId === call.id);
    if (!tool)
      ready.push({
        call,
        refusal: `tool_not_permitted: "${call.name}" is not among the tools that may be used here.`,
      });
    else if (tool.server === OWN) {
      if (decided?.decision === "answer")
        ready.push({
          call,
          answer: { content: decided.content ?? "", isError: decided.isError === true },
        });
      else waiting.push(call);
    } else if (decided?.decision === "deny")
      ready.push({ call, refusal: "denied: the person did not allow this call." });
    else if (decided)
      ready.push({ call: { ...call, arguments: decided.arguments ?? call.arguments } });
    else if (needsApproval(request, tool)) waiting.push(call);
    else ready.push({ call });
  }
  return { ready, waiting };
}
