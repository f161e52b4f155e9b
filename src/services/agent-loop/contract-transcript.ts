import type { AnsweredBy, Message, ToolCall, Usage } from "../completion/contract.ts";
import type { CarriedLabel } from "../users/contract-judge-labels.ts";
import type { NotFound, Source } from "../core/sources/contract.ts";
import type { StoredFailure } from "../../platform/http/reported-error.ts";
import type { FinishReason, ReplyEvent, ToolFile, ToolOutcome } from "./contract-events.ts";

/** One answer of the model: its text, its calls, and the results in the order of the calls. */
interface ModelAnswer {
  text: string;
  calls: ToolCall[];
  results: (ToolOutcome | undefined)[];
  /** How much of the reply's text stood before its calls; unknown of an earlier run. */
  at?: number;
  /** The request has the message with the calls: only results are new. */
  isGiven?: boolean;
}

/** What an earlier run of the same reply, which waited for a decision, has produced. */
export interface EarlierRun {
  history: readonly Message[];
  reasoning: string;
  toolCalls: readonly ToolOutcome[];
  sources: readonly Source[];
  /** Absent in runs of earlier versions. */
  warnings?: readonly StoredFailure[] | null;
  answeredBy?: AnsweredBy | null;
  usage: Usage | null;
}

const SEPARATOR = "\n\n";
/** Of one reply. */
const MAX_WARNINGS = 20;

/** Of images in results that one request to the model has, in base64: the newest. */
const MAX_IMAGE_CHARACTERS = 4_000_000;
/** More of a model's reasoning is streamed, but not kept. */
const MAX_REASONING_CHARACTERS = 100_000;

/** The tokens that the last turn of a run read and wrote. */
export function contextOf({ inputTokens, outputTokens, contextTokens }: Usage): number {
  return contextTokens ?? inputTokens + outputTokens;
}

/** What both used; without the context, which is no sum. */
export function addUsage(one: Usage, other: Usage): Usage {
  const cached = (one.cachedInputTokens ?? 0) + (other.cachedInputTokens ?? 0);
  const written = (one.cacheWriteInputTokens ?? 0) + (other.cacheWriteInputTokens ?? 0);
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...(cached > 0 && { cachedInputTokens: cached }),
    ...(written > 0 && { cacheWriteInputTokens: written }),
  };
}

type EventOf<Type extends ReplyEvent["type"]> = Extract<ReplyEvent, { type: Type }>;

/**
 * Adds up the events of a reply: its text, its calls with their results, and its turns as a later
 * request to the model needs them.
 */
export class Transcript {
  /** All text, as its reader saw it: also between calls, and of an earlier run. */
  content = "";
  /** All reasoning, also of an earlier run. */
  reasoning = "";
  readonly waiting: Omit<EventOf<"approval">, "type">[] = [];
  /** With what an earlier run of the same reply used. */
  usage: Usage | null = null;
  finishReason: FinishReason | null = null;
  /** The last model that wrote in the place of the one that was asked. */
  answeredBy: AnsweredBy | undefined;
  iterations = 0;
  readonly #turns: ModelAnswer[];
  readonly #earlierUsage: Usage | null;
  readonly #sources = new Map<number, Source>();
  readonly #labels = new Map<string, CarriedLabel>();
  readonly #warnings = new Map<string, StoredFailure>();
  #contextTokens: number | undefined;
  #notFound: NotFound | undefined;
  readonly #continuesText: boolean;

  /**
   * `openCalls`: calls of the given messages that have no result yet. `continuesText`: the reader
   * has text of the reply already.
   */
  constructor({
    earlier,
    openCalls = [],
    continuesText = false,
  }: { earlier?: EarlierRun; openCalls?: ToolCall[]; continuesText?: boolean } = {}) {
    this.reasoning = earlier?.reasoning ?? "";
    this.#turns = earlier ? readTurns(earlier.history, earlier.toolCalls) : [];
    this.content = this.#texts.join(SEPARATOR);
    this.#continuesText = continuesText;
    if (openCalls.length > 0)
      this.#turns.push({ text: "", calls: openCalls, results: [], isGiven: true });
    for (const source of earlier?.sources ?? []) this.#sources.set(source.index, source);
    for (const warning of earlier?.warnings ?? []) this.#addWarning(warning);
    this.answeredBy = earlier?.answeredBy ?? undefined;
    this.#earlierUsage = earlier?.usage ?? null;
    if (this.#earlierUsage) this.addUsage(this.#earlierUsage);
  }

  add(event: ReplyEvent): void {
    switch (event.type) {
      case "text_delta":
        this.#addText(event.delta);
        break;
      case "reasoning_delta":
        if (this.reasoning.length < MAX_REASONING_CHARACTERS) this.reasoning += event.delta;
        break;
      case "tool_call":
        this.#addCall(event);
        break;
      case "tool_result":
        this.#addResult(event);
        break;
      case "approval":
        this.#addWaiting(event);
        break;
      case "sources":
        for (const source of event.sources) this.#sources.set(source.index, source);
        this.#notFound = event.notFound;
        break;
      case "labels":
        for (const label of event.labels) this.#labels.set(label.id, label);
        break;
      case "warning":
        this.#addWarning(event);
        break;
      case "answered_by": {
        const { type: _, ...answeredBy } = event;
        this.answeredBy = answeredBy;
        break;
      }
      case "done":
        this.#end(event);
        break;
    }
  }

  /** The text with a blank line before it where it begins a turn after other text. */
  separated(delta: string): string {
    const isFirst = !this.#isTurnOpen || this.#openTurn().text === "";
    const before = this.content || (this.#continuesText ? "…" : "");
    const isApart = before === "" || before.endsWith("\n") || /^\s/.test(delta);
    return !isFirst || isApart || delta === "" ? delta : SEPARATOR + delta;
  }

  /** Counts a turn when the model is asked, so that one that fails counts too. */
  beginTurn(): number {
    this.iterations += 1;
    return this.iterations;
  }

  /** Adds what a turn of the model used, which is what it had in its context. */
  addTurn(usage: Usage): void {
    this.addUsage(usage);
    this.#contextTokens = contextOf(usage);
  }

  /** What the reply used, and where it asked the model several times what the last time did. */
  get usageOfRun(): Usage | null {
    const isSum = this.iterations > 1 && this.#contextTokens !== undefined;
    if (!this.usage || !isSum) return this.usage;
    return { ...this.usage, contextTokens: this.#contextTokens };
  }

  /** Adds what the model or a tool used. */
  addUsage(used: Usage): void {
    this.usage = addUsage(this.usage ?? { inputTokens: 0, outputTokens: 0 }, used);
  }

  /** The turns as messages for the model, with the newest images of results. */
  get messages(): Message[] {
    const images = this.#findNewestImages();
    return this.#turns.flatMap((turn) => toMessages(turn, images));
  }

  /** The turns as they are stored: results only name their images. */
  get history(): Message[] {
    return this.#turns.flatMap((turn) => toMessages(turn));
  }

  get toolCalls(): ToolOutcome[] {
    return this.#turns.flatMap(({ results }) =>
      results.filter((result) => result !== undefined),
    );
  }

  /** The calls that have no result yet. */
  get openCalls(): ToolCall[] {
    const last = this.#turns.at(-1);
    return last ? last.calls.filter((_, at) => last.results[at] === undefined) : [];
  }

  get sources(): Source[] {
    return [...this.#sources.values()].toSorted((one, other) => one.index - other.index);
  }

  /** Of what the reply was made from. */
  get labels(): CarriedLabel[] {
    return [...this.#labels.values()];
  }

  /** What the reply was made without, each once. */
  get warnings(): StoredFailure[] {
    return [...this.#warnings.values()];
  }

  /** Why the last search found nothing; null where there are sources. */
  get notFound(): NotFound | null {
    return this.#sources.size === 0 ? (this.#notFound ?? null) : null;
  }

  /** The text of the last turn. */
  get answer(): string {
    return this.#turns.at(-1)?.text ?? "";
  }

  get #texts(): string[] {
    return this.#turns.map(({ text }) => text).filter((text) => text !== "");
  }

  #findNewestImages(): Set<ToolFile> {
    const images = this.toolCalls
      .flatMap(({ files = [] }) => files)
      .filter(({ kind }) => kind === "image");
    let room = MAX_IMAGE_CHARACTERS;
    const from = images.findLastIndex(({ data }) => (room -= data.length) < 0) + 1;
    return new Set(images.slice(from));
  }

  #addWarning({ code, message, params }: StoredFailure): void {
    if (this.#warnings.size >= MAX_WARNINGS) return;
    this.#warnings.set(message, { code, message, ...(params && { params }) });
  }

  #addText(delta: string): void {
    const turn = this.#openTurn();
    const isApart = turn.text === "" && (this.content !== "" || this.#continuesText);
    turn.text += isApart ? delta.replace(/^\n+/, "") : delta;
    this.content += delta;
  }

  get #isTurnOpen(): boolean {
    return this.#turns.at(-1)?.results.length === 0;
  }

  /** Returns the current turn of the model. Results end a turn. */
  #openTurn(): ModelAnswer {
    const last = this.#turns.at(-1);
    if (last && this.#isTurnOpen) return last;
    const turn: ModelAnswer = { text: "", calls: [], results: [] };
    this.#turns.push(turn);
    return turn;
  }

  #addCall({ type, toolCallId: id, name, ...details }: EventOf<"tool_call">): void {
    const turn = this.#openTurn();
    turn.at ??= this.content.length;
    turn.calls.push({ type, id, name, ...details });
  }

  /** Results arrive as they are ready. A model may give the same id to calls of several turns. */
  #addResult({ type: _, ...result }: EventOf<"tool_result">): void {
    const turn = this.#turns.at(-1);
    const at = findOpenCall(turn, result.toolCallId);
    const call = turn?.calls[at];
    if (!turn || !call) return;
    const place = turn.at ?? this.content.length;
    turn.results[at] = { ...result, arguments: call.arguments, at: place };
  }

  #addWaiting({ type: _, ...call }: EventOf<"approval">): void {
    this.waiting.push(call);
  }

  #end({ content, finishReason, iterations, usage }: EventOf<"done">): void {
    this.usage = null;
    for (const used of [this.#earlierUsage, usage]) if (used) this.addUsage(used);
    this.#keepContext(usage);
    this.finishReason = finishReason;
    this.iterations = iterations;
    // `content` is the text of the last turn
    if (this.#texts.length < 2) this.content = content || this.content;
    if (finishReason !== "approval") this.#dropOpenCalls();
  }

  /** Where the usage is a sum, what the last turn had in its context is kept beside it. */
  #keepContext(last: Usage): void {
    const isSum = this.#earlierUsage !== null || last.contextTokens !== undefined;
    if (this.usage && isSum) this.usage.contextTokens = contextOf(last);
  }

  /** Calls without results would make every later request of the thread invalid. */
  #dropOpenCalls(): void {
    const last = this.#turns.at(-1);
    if (!last) return;
    last.calls = last.calls.filter((_, at) => last.results[at] !== undefined);
    last.results = last.results.filter((result) => result !== undefined);
  }
}

function toMessages(
  { text, calls, results, isGiven }: ModelAnswer,
  images: ReadonlySet<ToolFile> = new Set(),
): Message[] {
  if (text === "" && calls.length === 0) return [];
  const outcomes = results.flatMap((result): Message[] =>
    result
      ? [
          {
            role: "tool",
            toolCallId: result.toolCallId,
            content: toContent(result, images),
          },
        ]
      : [],
  );
  if (isGiven) return outcomes;
  const answer: Message = { role: "assistant", content: text };
  if (calls.length > 0) answer.toolCalls = calls;
  return [answer, ...outcomes];
}

function toContent(
  { content, files = [] }: ToolOutcome,
  images: ReadonlySet<ToolFile>,
): Message["content"] {
  const shown = files.filter((file) => images.has(file));
  if (shown.length === 0) return content;
  return [
    { type: "text", text: content },
    ...shown.map(({ mediaType, data }) => ({ type: "image" as const, mediaType, data })),
  ];
}

function readTurns(
  history: readonly Message[],
  toolCalls: readonly ToolOutcome[],
): ModelAnswer[] {
  const turns: ModelAnswer[] = [];
  const outcomes = [...toolCalls];
  for (const { role, content, toolCalls: calls = [], toolCallId } of history) {
    if (role === "assistant") {
      const text = typeof content === "string" ? content : "";
      turns.push({ text, calls: [...calls], results: [] });
      continue;
    }
    const turn = turns.at(-1);
    const at = findOpenCall(turn, toolCallId);
    if (turn && at >= 0) turn.results[at] = outcomes.shift();
  }
  return turns;
}

/** @returns the index of the call with this id that has no result yet, else -1. */
function findOpenCall(
  turn: ModelAnswer | undefined,
  toolCallId: string | undefined,
): number {
  if (!turn) return -1;
  return turn.calls.findIndex(
    ({ id }, index) => id === toolCallId && turn.results[index] === undefined,
  );
}
