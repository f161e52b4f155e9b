import type { Message, Usage } from "../../completion/contract.ts";
import type { FinishReason, RunEvent, ToolOutcome } from "../../agent/contract.ts";
import type { Source } from "../sources/contract.ts";
import type { ConversationEvent } from "./contract.ts";

/**
 * What a stream of run events adds up to: the text, the calls, and the turns as a later request
 * needs them.
 */
export class ReplyCollector {
  content = "";
  /** Text of the turn that is being read. */
  #turn = "";
  /**
   * The message with the calls whose results come, and how many results there were before its own.
   */
  #open: Message | undefined;
  #resultsBefore = 0;
  history: Message[] = [];
  toolCalls: ToolOutcome[] = [];
  waiting: Omit<Extract<RunEvent, { type: "approval" }>, "type">[] = [];
  sources: Source[] = [];
  usage: Usage | null = null;
  finishReason: FinishReason | null = null;
  iterations = 0;

  /**
   * `before`: what an earlier run of the same reply, which waited for a decision, has said already.
   */
  constructor(
    before: { history: Message[]; toolCalls: ToolOutcome[]; sources: Source[] } = {
      history: [],
      toolCalls: [],
      sources: [],
    },
  ) {
    this.history = [...before.history];
    this.toolCalls = [...before.toolCalls];
    this.sources = [...before.sources];
    this.#open = this.history.findLast(({ toolCalls = [] }) => toolCalls.length > 0);
    if (this.#open)
      this.#resultsBefore =
        this.toolCalls.length - (this.history.length - 1 - this.history.indexOf(this.#open));
  }

  add(event: RunEvent | Exclude<ConversationEvent, { messageId: string }>): void {
    switch (event.type) {
      case "text_delta":
        this.#turn += event.delta;
        this.content += event.delta;
        break;
      case "tool_call":
        this.#callOf(event);
        break;
      case "tool_result":
        this.#result(event);
        break;
      case "sources":
        this.sources.push(...event.sources.filter(({ index }) => index > this.sources.length));
        break;
      case "approval": {
        const { type: _, ...call } = event;
        this.waiting.push(call);
        break;
      }
      case "done":
        this.usage = event.usage;
        this.finishReason = event.finishReason;
        this.iterations = event.iterations;
        this.content = event.content || this.content;
        this.#endTurn();
        break;
    }
  }

  #callOf({ toolCallId, name, arguments: given }: Extract<RunEvent, { type: "tool_call" }>): void {
    if (!this.#open || this.history.at(-1) !== this.#open || this.#turn !== "") {
      this.#open = { role: "assistant", content: this.#turn, toolCalls: [] };
      this.#turn = "";
      this.history.push(this.#open);
      this.#resultsBefore = this.toolCalls.length;
    }
    this.#open.toolCalls?.push({ id: toolCallId, type: "tool_call", name, arguments: given });
  }

  /** Results come as they are there, and are kept in the order of their calls. */
  #result({ type: _, ...result }: Extract<RunEvent, { type: "tool_result" }>): void {
    const calls = this.#open?.toolCalls ?? [];
    const index = calls.findIndex(({ id }) => id === result.toolCallId);
    const later = new Set(calls.slice(index + 1).map(({ id }) => id));
    later.delete(result.toolCallId);
    const next = this.toolCalls.findIndex(
      ({ toolCallId }, at) => at >= this.#resultsBefore && later.has(toolCallId),
    );
    const place = index < 0 || next < 0 ? this.toolCalls.length : next;
    const behind = this.toolCalls.length - place;
    this.toolCalls.splice(place, 0, { ...result, arguments: calls[index]?.arguments ?? {} });
    const message: Message = {
      role: "tool",
      toolCallId: result.toolCallId,
      content: result.content,
    };
    this.history.splice(this.history.length - behind, 0, message);
  }

  #endTurn(): void {
    if (this.#turn) this.history.push({ role: "assistant", content: this.#turn });
    this.#turn = "";
  }
}
