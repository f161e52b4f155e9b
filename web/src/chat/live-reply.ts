import type { ConversationEvent } from "../../../src/services/core/replies/contract.ts";
import { applyEvent, NEW_REPLY, type ReplyState } from "./reply-state.ts";

const SHOW_INTERVAL_MS = 33;
const MAX_SHOW_INTERVAL_MS = 200;

/** Showing takes at most this share of the time. */
const SHOWING_SHARE = 1 / 9;

/**
 * A reply in progress, outside of React. Events are collected and shown every 33 ms, or less often
 * where that would take more than a ninth of the time: on a slow device, or in a long table.
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
  readonly #stored: ReplyState;

  /** `stored`: what the page read of it, for a reply whose events begin after a decision. */
  constructor(conversationId: string, messageId: string, stored = NEW_REPLY) {
    this.conversationId = conversationId;
    this.messageId = messageId;
    this.#stored = stored;
  }

  /** The state last rendered; for `useSyncExternalStore`. */
  readonly snapshot = (): ReplyState => this.#shown;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Reports how long rendering took. What the next frame takes to lay it out is added. */
  readonly reportCost = (renderMs: number): void => {
    timeNextFrame((frameMs) => {
      const wanted = Math.max(SHOW_INTERVAL_MS, (renderMs + frameMs) / SHOWING_SHARE);
      this.#intervalMs = Math.min(MAX_SHOW_INTERVAL_MS, wanted);
    });
  };

  get hasEnded(): boolean {
    return this.#state.phase === "ended";
  }

  add(event: ConversationEvent, id: string | undefined): void {
    this.lastEventId = id ?? this.lastEventId;
    const known = this.#withEarlier(event);
    const state =
      known.phase === "ended" ? known : { ...known, phase: "streaming" as const };
    this.#state = applyEvent(state, event);
    if (this.hasEnded) this.#show();
    else this.#timer ??= setTimeout(() => this.#show(), this.#intervalMs);
  }

  /** What stands before the events that follow, for a page that was not there to hear it. */
  #withEarlier(event: ConversationEvent): ReplyState {
    const state = this.#state;
    const { text, reasoning, tools } = state;
    const isHeard = text !== "" || reasoning !== "" || tools.length > 0;
    if (event.type !== "conversation" || !event.earlier || isHeard) return state;
    return {
      ...this.#stored,
      phase: state.phase,
      text: this.#stored.text.slice(0, event.earlier.content),
      reasoning: this.#stored.reasoning.slice(0, event.earlier.reasoning),
      waiting: [],
      finishReason: undefined,
    };
  }

  setPhase(phase: ReplyState["phase"]): void {
    this.#state = { ...this.#state, phase };
    this.#show();
  }

  /** The reply continues after decisions: what comes is added to what it had. */
  beginAgain(): void {
    this.lastEventId = undefined;
    this.#state = { ...this.#state, phase: "connecting", waiting: [] };
    this.#show();
  }

  #show(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#shown = this.#state;
    for (const listener of this.#listeners) listener();
  }
}

/** Measures how long the page takes for style, layout and paint of the next frame. */
function timeNextFrame(onTimed: (durationMs: number) => void): void {
  requestAnimationFrame(() => {
    const startedAt = performance.now();
    const { port1, port2 } = new MessageChannel();
    // its turn comes after the frame
    port1.onmessage = () => {
      port1.close();
      onTimed(performance.now() - startedAt);
    };
    port2.postMessage(null);
  });
}
