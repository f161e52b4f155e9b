import type {
  ToolFigures,
  ToolFile,
  ToolView,
} from "../../../src/services/agent-loop/contract-events.ts";
import type { ConversationMessage } from "../../../src/services/core/conversations/contract-messages.ts";
import type { ConversationEvent } from "../../../src/services/core/replies/contract.ts";
import type { ReportedError, StoredFailure } from "../api/failure.ts";
import type { ThreadMessage } from "./queries.ts";

/** A tool call of a reply. Without `content` it runs. */
export interface ToolCall {
  toolCallId: string;
  name: string;
  arguments: Record<string, unknown>;
  /** What it has printed while it runs. */
  printed?: string;
  content?: string;
  files?: ToolFile[] | undefined;
  isError?: boolean;
  durationMs?: number;
  /** How its server shows the result. */
  view?: ToolView | undefined;
  /** How much it found. */
  figures?: ToolFigures | undefined;
  /** How many characters of the answer stood before it. */
  at?: number | undefined;
}

/** A version of a canvas that the reply wrote. Its title is known once it is stored. */
export interface WrittenCanvas {
  canvasId: string;
  version: number;
  title?: string;
}

/** The state of a reply in progress. */
export interface ReplyState {
  phase: "connecting" | "streaming" | "reattaching" | "ended";
  text: string;
  reasoning: string;
  tools: readonly ToolCall[];
  sources: ConversationMessage["sources"];
  /** Why the last search found nothing. */
  notFound?: ConversationMessage["notFound"];
  /** The plan and the progress of a research. */
  research?: ConversationMessage["research"];
  canvases: readonly WrittenCanvas[];
  waiting: ConversationMessage["waiting"];
  warnings: readonly StoredFailure[];
  /** The model that answers in the place of the one that was asked. */
  answeredBy?: ConversationMessage["answeredBy"];
  error: ReportedError | undefined;
  finishReason: string | undefined;
  title: string | undefined;
}

export const NEW_REPLY: ReplyState = {
  phase: "connecting",
  text: "",
  reasoning: "",
  tools: [],
  sources: [],
  canvases: [],
  waiting: [],
  warnings: [],
  error: undefined,
  finishReason: undefined,
  title: undefined,
};

/** What is stored of a reply, in progress or ended. */
export function toState(message: ThreadMessage): ReplyState {
  return {
    ...NEW_REPLY,
    phase: message.status === "streaming" ? "connecting" : "ended",
    text: message.content,
    reasoning: message.reasoning,
    tools: message.toolCalls,
    sources: message.sources,
    notFound: message.notFound,
    warnings: message.warnings ?? [],
    answeredBy: message.answeredBy,
    research: message.research,
    canvases: message.canvases,
    waiting: message.waiting,
    error: message.error ?? undefined,
    finishReason:
      message.status === "stopped" ? "cancelled" : (message.finishReason ?? undefined),
  };
}

/** The state after one more event. */
export function applyEvent(state: ReplyState, event: ConversationEvent): ReplyState {
  switch (event.type) {
    case "text_delta":
      return { ...state, text: state.text + event.delta };
    case "reasoning_delta":
      return { ...state, reasoning: state.reasoning + event.delta };
    case "tool_call":
      return { ...state, tools: withTool(state, event) };
    case "tool_output":
      return { ...state, tools: withOutput(state.tools, event) };
    case "tool_result":
      return { ...state, tools: withResult(state, event) };
    case "approval":
      return { ...state, waiting: [...state.waiting, event] };
    case "sources": {
      const added = event.sources.map((source) => ({ ...source, cited: false }));
      const { notFound } = event;
      return { ...state, sources: [...state.sources, ...added], notFound };
    }
    case "canvas": {
      const { canvasId, version } = event;
      return { ...state, canvases: [...state.canvases, { canvasId, version }] };
    }
    case "research":
      return { ...state, research: event.research };
    case "warning":
      return { ...state, warnings: [...state.warnings, event] };
    case "answered_by":
      return { ...state, answeredBy: event };
    case "title":
      return { ...state, title: event.title };
    case "done":
      return {
        ...state,
        phase: "ended",
        text: event.content,
        finishReason: event.finishReason,
      };
    case "error":
      return { ...state, phase: "ended", error: event };
    default:
      return state;
  }
}

function withTool(
  { tools, text }: ReplyState,
  { toolCallId, name, arguments: given }: ToolCall,
): ToolCall[] {
  const others = tools.filter((tool) => tool.toolCallId !== toolCallId);
  return [...others, { toolCallId, name, arguments: given, at: text.length }];
}

/** The page shows the end of a long output, until the result has all. */
const MAX_PRINTED_CHARACTERS = 20_000;

function withOutput(
  tools: ReplyState["tools"],
  { toolCallId, output }: { toolCallId: string; output: string },
): ToolCall[] {
  return tools.map((tool) => {
    if (tool.toolCallId !== toolCallId || tool.content !== undefined) return tool;
    const printed = ((tool.printed ?? "") + output).slice(-MAX_PRINTED_CHARACTERS);
    return { ...tool, printed };
  });
}

function withResult(
  { tools, text }: ReplyState,
  ended: Omit<ToolCall, "arguments" | "at">,
): ToolCall[] {
  const { toolCallId, ...outcome } = ended;
  const before = tools.find((tool) => tool.toolCallId === toolCallId);
  const { printed: _, ...call } = before ?? { at: text.length };
  const { name, content, files, isError, durationMs, view, figures } = outcome;
  const result = { name, content, files, isError, durationMs, view, figures };
  const given = before?.arguments ?? {};
  const tool = { ...call, toolCallId, ...result, arguments: given } as ToolCall; // of both events
  if (!before) return [...tools, tool];
  return tools.map((one) => (one === before ? tool : one));
}
