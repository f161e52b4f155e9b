import type { ConversationEvent } from "../../../src/services/core/replies/contract.ts";
import { applyEvent, NEW_REPLY, type ReplyState } from "./reply-state.ts";

const SHOW_INTERVAL_MS = 33;
const MAX_SHOW_INTERVAL_MS = 200;

/**
 * A reply in progress, outside of React. Events are collected and rendered every 33 ms, or after
 * twice the time of the last render, so that a slow device stays responsive.
 */
export class LiveReply {
  readonly conversationId: string;
  readonly messageId: string;
  /** The id of the last event, from which to resume. */
  lastEventId: string | undefined;
  #state: ReplyState = NEW_REPLY;
  #shown: ReplyState = NEW_REPLY;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #intervalMs = SHOW_INTERVAL_MS;
  readonly #listeners = new Set<() => void>();

  constructor(conversationId: string, messageId: string) {
    this.conversationId = conversationId;
    this.messageId = messageId;
  }

  /** The state last rendered; for `useSyncExternalStore`. */
  readonly snapshot = (): ReplyState => this.#shown;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Reports how long rendering took. */
  readonly reportCost = (durationMs: number): void => {
    const wanted = Math.max(SHOW_INTERVAL_MS, durationMs * 2);
    this.#intervalMs = Math.min(MAX_SHOW_INTERVAL_MS, wanted);
  };

  get hasEnded(): boolean {
    return this.#state.phase === "ended";
  }

  add(event: ConversationEvent, id: string | undefined): void {
    this.lastEventId = id ?? this.lastEventId;
    const { phase } = this.#state;
    const state =
      phase === "ended" ? this.#state : { ...this.#state, phase: "streaming" as const };
    this.#state = applyEvent(state, event);
    if (this.hasEnded) this.#show();
    else this.#timer ??= setTimeout(() => this.#show(), this.#intervalMs);
  }

  setPhase(phase: ReplyState["phase"]): void {
    this.#state = { ...this.#state, phase };
    this.#show();
  }

  /** Starts the text again when the reply continues after decisions. */
  beginAgain(): void {
    this.lastEventId = undefined;
    this.#state = {
      ...this.#state,
      phase: "connecting",
      text: "",
      reasoning: "",
      waiting: [],
    };
    this.#show();
  }

  #show(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#shown = this.#state;
    for (const listener of this.#listeners) listener();
  }
}
