import type { ApiError } from "../../../../platform/http/errors.ts";
import { encodeWholeEvent } from "../../../../platform/http/stream.ts";
import { toApiError } from "../../../../platform/http/reported-error.ts";
import type { ReplyEvent } from "../../../agent-loop/contract-events.ts";
import type { Usage } from "../../../completion/contract.ts";
import { approvalNeeded } from "../answer-chat.ts";
import { answeringModel } from "../list-models.ts";
import { encodeState } from "../call-state.ts";
import type { SearchEvent } from "./answer-with-search.ts";
import { CitationReader, type CitedFile } from "./cite-files.ts";
import type { OutputItem, ResponseView } from "./contract-view.ts";
import type { OfferedTools } from "./offer-tools.ts";

export interface WriterOptions {
  /** Whether the client runs the tools. The calls of an agent's own tools stay inside. */
  showsCalls: boolean;
  offered: OfferedTools;
  /** The files of the passages that the model has, by their numbers. */
  cited: readonly CitedFile[];
  /** Whether searches show what they found. */
  showsResults: boolean;
}

type Message = Extract<OutputItem, { type: "message" }>;
type Search = Extract<OutputItem, { type: "file_search_call" }>;
type SearchDone = Extract<SearchEvent, { type: "search_done" }>;
type Reasoning = Extract<OutputItem, { type: "reasoning" }>;

/** Writes a response item by item, and keeps it. */
export class ResponseWriter {
  readonly response: ResponseView;
  readonly #options: WriterOptions;
  /** What the ids of the items begin with, behind their kind. */
  readonly #key: string;
  /** The item that text is added to. */
  #open: Message | Reasoning | undefined;
  readonly #citations: CitationReader;
  #sequence = 0;
  #isBegun = false;

  constructor(head: ResponseView, options: WriterOptions) {
    this.response = { ...head, output: [] };
    this.#options = options;
    this.#citations = new CitationReader(options.cited);
    this.#key = head.id.replace("resp_", "");
  }

  /** The lines before all others; none where they were given already. */
  begin(): string[] {
    if (this.#isBegun) return [];
    this.#isBegun = true;
    return ["response.created", "response.in_progress"].map((type) =>
      this.#encode(type, { response: this.response }),
    );
  }

  /** The event behind all others. */
  last(): string {
    return this.#encode(`response.${this.response.status}`, { response: this.response });
  }

  failure({ code, message }: Pick<ApiError, "code" | "message">): ResponseView {
    return { ...this.response, status: "failed", error: { code, message } };
  }

  failed(error: ApiError): string {
    return this.#encode("response.failed", { response: this.failure(error) });
  }

  /** Adds the lines of one event. @throws ApiError of an event that ends the reply. */
  write(event: ReplyEvent | SearchEvent, lines: string[]): void {
    // who answers stands in the head
    if (event.type !== "answered_by") lines.push(...this.begin());
    switch (event.type) {
      case "text_delta":
        this.#readText(event.delta, lines);
        break;
      case "search_begun":
        this.#beginSearch(lines);
        break;
      case "search_done":
        this.#endSearch(event, lines);
        break;
      case "reasoning_delta":
        this.#addThought(event.delta, lines);
        break;
      case "tool_call":
        if (this.#options.showsCalls) this.#addCall(event, lines);
        break;
      case "answered_by":
        this.response.model = answeringModel(this.response.model, event);
        break;
      case "done":
        this.#end(event, lines);
        break;
      case "error":
        throw toApiError(event);
      case "approval":
        throw approvalNeeded(event.name);
    }
  }

  /** Text of which nothing was searched has no marks of passages. */
  #readText(delta: string, lines: string[]): void {
    if (this.#options.cited.length === 0) return this.#addText(delta, lines);
    for (const piece of this.#citations.read(delta))
      if (typeof piece === "string") this.#addText(piece, lines);
      else this.#addCitation(piece, lines);
  }

  #addCitation(file: CitedFile, lines: string[]): void {
    if (this.#open?.type !== "message") this.#beginMessage(lines);
    const part = this.#open?.type === "message" ? this.#open.content[0] : undefined;
    if (!part) return;
    const annotation = { type: "file_citation" as const, index: part.text.length, ...file };
    const annotation_index = part.annotations.push(annotation) - 1;
    const fields = { annotation_index, annotation };
    lines.push(this.#ofText("response.output_text.annotation.added", fields));
  }

  #beginSearch(lines: string[]): void {
    this.#close(lines);
    const item: Search = {
      id: this.#id("fs"),
      type: "file_search_call",
      status: "in_progress",
      queries: [],
      results: null,
    };
    this.#push(item, { ...item }, lines);
    for (const state of ["in_progress", "searching"])
      lines.push(this.#ofSearch(item, state));
  }

  #endSearch({ queries, results }: SearchDone, lines: string[]): void {
    const item = this.response.output.at(-1);
    if (item?.type !== "file_search_call") return;
    item.status = "completed";
    item.queries = queries;
    if (this.#options.showsResults)
      item.results = results.map(({ content, ...result }) => ({
        ...result,
        text: content.map(({ text }) => text).join("\n"),
      }));
    lines.push(this.#ofSearch(item, "completed"));
    this.#done(item, lines);
  }

  #ofSearch({ id: item_id }: Search, state: string): string {
    const fields = { item_id, output_index: this.#index };
    return this.#encode(`response.file_search_call.${state}`, fields);
  }

  #addText(delta: string, lines: string[]): void {
    if (this.#open?.type !== "message") this.#beginMessage(lines);
    if (this.#open?.type !== "message") return;
    const part = this.#open.content[0];
    if (part) part.text += delta;
    lines.push(this.#ofText("response.output_text.delta", { delta, logprobs: [] }));
  }

  #beginMessage(lines: string[]): void {
    this.#close(lines);
    const content = [emptyPart()];
    const item: Message = {
      id: this.#id("msg"),
      type: "message",
      role: "assistant",
      status: "in_progress",
      content,
    };
    this.#begin(item, { ...item, content: [] }, lines);
    lines.push(this.#ofText("response.content_part.added", { part: emptyPart() }));
  }

  #addThought(delta: string, lines: string[]): void {
    if (this.#open?.type !== "reasoning") this.#beginThought(lines);
    if (this.#open?.type !== "reasoning") return;
    const part = this.#open.summary[0];
    if (part) part.text += delta;
    lines.push(this.#ofThought("response.reasoning_summary_text.delta", { delta }));
  }

  #beginThought(lines: string[]): void {
    this.#close(lines);
    const part = { type: "summary_text" as const, text: "" };
    const item: Reasoning = {
      id: this.#id("rs"),
      type: "reasoning",
      summary: [{ ...part }],
    };
    this.#begin(item, { ...item, summary: [] }, lines);
    lines.push(this.#ofThought("response.reasoning_summary_part.added", { part }));
  }

  #addCall(
    { toolCallId: call_id, name: called, arguments: values, unreadable, state }: CallEvent,
    lines: string[],
  ): void {
    this.#close(lines);
    if (state) {
      const encrypted_content = encodeState(call_id, state);
      const id = this.#id("rs");
      this.#whole({ id, type: "reasoning", summary: [], encrypted_content }, lines);
    }
    const tool = this.#options.offered.get(called);
    const { name = called, namespace } = tool ?? {};
    const named = { call_id, name, ...(namespace !== undefined && { namespace }) };
    const input = values["input"];
    if (tool?.type === "custom" && typeof input === "string") {
      const item: OutputItem = {
        id: this.#id("ctc"),
        type: "custom_tool_call",
        ...named,
        input,
      };
      this.#callWith(item, "input", "response.custom_tool_call_input", lines);
      return;
    }
    const text = unreadable ?? JSON.stringify(values);
    const item: OutputItem = {
      id: this.#id("fc"),
      type: "function_call",
      status: "completed",
      ...named,
      arguments: text,
    };
    this.#callWith(item, "arguments", "response.function_call_arguments", lines);
  }

  /** A call, with the events of what is in its `field`. */
  #callWith(
    item: OutputItem & { [Field in "input" | "arguments"]?: string },
    field: "input" | "arguments",
    events: string,
    lines: string[],
  ): void {
    const value = item[field];
    this.#push(item, { ...item, [field]: "" }, lines);
    const place = { item_id: item.id, output_index: this.#index };
    lines.push(
      this.#encode(`${events}.delta`, { ...place, delta: value }),
      this.#encode(`${events}.done`, { ...place, [field]: value }),
    );
    this.#done(item, lines);
  }

  #whole(item: OutputItem, lines: string[]): void {
    this.#push(item, item, lines);
    this.#done(item, lines);
  }

  #begin(item: Message | Reasoning, shown: object, lines: string[]): void {
    this.#push(item, shown, lines);
    this.#open = item;
  }

  #push(item: OutputItem, shown: object, lines: string[]): void {
    this.response.output.push(item);
    lines.push(
      this.#encode("response.output_item.added", {
        output_index: this.#index,
        item: shown,
      }),
    );
  }

  #done(item: OutputItem, lines: string[]): void {
    lines.push(
      this.#encode("response.output_item.done", { output_index: this.#index, item }),
    );
  }

  /** Ends the item that text is added to. */
  #close(lines: string[], status: "completed" | "incomplete" = "completed"): void {
    if (this.#open?.type === "message") {
      const held = this.#citations.end();
      if (held !== "") this.#addText(held, lines);
    }
    const item = this.#open;
    if (item?.type === "message") {
      item.status = status;
      const [part] = item.content;
      const text = part?.text ?? "";
      lines.push(
        this.#ofText("response.output_text.done", { text, logprobs: [] }),
        this.#ofText("response.content_part.done", { part }),
      );
    }
    if (item?.type === "reasoning") {
      const [part] = item.summary;
      lines.push(
        this.#ofThought("response.reasoning_summary_text.done", { text: part?.text ?? "" }),
        this.#ofThought("response.reasoning_summary_part.done", { part }),
      );
    }
    if (item) this.#done(item, lines);
    this.#open = undefined;
  }

  #end({ finishReason, usage }: DoneEvent, lines: string[]): void {
    const reason = CUT[finishReason];
    this.#close(lines, reason ? "incomplete" : "completed");
    this.response.status = reason ? "incomplete" : "completed";
    if (reason) this.response.incomplete_details = { reason };
    this.response.usage = toUsage(usage);
  }

  get #index(): number {
    return this.response.output.length - 1;
  }

  #id(kind: string): string {
    return `${kind}_${this.#key}_${this.response.output.length}`;
  }

  #ofText(type: string, fields: object): string {
    return this.#encode(type, { ...this.#place, content_index: 0, ...fields });
  }

  #ofThought(type: string, fields: object): string {
    return this.#encode(type, { ...this.#place, summary_index: 0, ...fields });
  }

  get #place() {
    return { item_id: this.#open?.id ?? "", output_index: this.#index };
  }

  #encode(type: string, fields: object): string {
    const sequence_number = this.#sequence;
    this.#sequence += 1;
    return encodeWholeEvent({ type, sequence_number, ...fields });
  }
}

type DoneEvent = Extract<ReplyEvent, { type: "done" }>;
type CallEvent = Extract<ReplyEvent, { type: "tool_call" }>;

const CUT: Partial<
  Record<DoneEvent["finishReason"], "max_output_tokens" | "content_filter">
> = {
  length: "max_output_tokens",
  content_filter: "content_filter",
};

const emptyPart = (): Message["content"][number] => ({
  type: "output_text",
  text: "",
  annotations: [],
  logprobs: [],
});

function toUsage({
  inputTokens,
  outputTokens,
  cachedInputTokens = 0,
  cacheWriteInputTokens = 0,
}: Usage): ResponseView["usage"] {
  return {
    input_tokens: inputTokens,
    input_tokens_details: {
      cached_tokens: cachedInputTokens,
      cache_write_tokens: cacheWriteInputTokens,
    },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  };
}
