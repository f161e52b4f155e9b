import { setTimeout as sleep } from "node:timers/promises";
import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";
import { isRecord } from "../../platform/json/is-record.ts";
import type { Outgoing } from "../../platform/outgoing/outgoing.ts";
import type { ToolServer } from "./contract.ts";
import { MessageReader } from "./read-messages.ts";
import type { Listeners, Remote } from "./remote.ts";
import { type RemoteAnswer, sendMessage } from "./send-message.ts";
import type { Credential } from "./sign-in/credential.ts";
import { MAX_ANSWER_BYTES, tooLarge } from "./tool-fetch.ts";

/** Servers may end a stream whenever they like; it is not opened again sooner. */
const MIN_WAIT_MS = 1_000;
const MAX_WAIT_MS = 30_000;
/** A stream that was open for so long ended without a fault. */
const GOOD_MS = 10_000;
const RATE_INTERVAL_MS = 60_000;
const MAX_WATCHED = 1_000;

interface Options {
  server: ToolServer;
  outgoing: Outgoing;
  listeners: Listeners;
  remote: Remote;
  credential?: Credential | undefined;
}

/**
 * What a server of 2026-07-28 announces: changes of its list of tools, and of resources that are
 * watched. Source: Model Context Protocol, 2026-07-28, subscriptions.
 */
export class ListenStream {
  readonly #options: Options;
  readonly #closing = new AbortController();
  #isRunning = false;
  /** Ends the stream that is open, so that another one asks for what is watched now. */
  #renew = new AbortController();
  #bytesLeft = MAX_ANSWER_BYTES;
  #countedSince = performance.now();

  constructor(options: Options) {
    this.#options = options;
  }

  /** Listens where there is something to hear, until it is closed. */
  start(): void {
    if (this.#isRunning || this.#closing.signal.aborted || !this.#hasTopics()) return;
    this.#isRunning = true;
    void this.#run().finally(() => (this.#isRunning = false));
  }

  /** Other resources are watched than before. */
  renew(): void {
    this.#renew.abort();
    this.start();
  }

  close(): void {
    this.#closing.abort();
    this.#renew.abort();
  }

  #watched(): readonly string[] {
    if (!this.#options.remote.capabilities?.resources?.subscribe) return [];
    return (this.#options.listeners.watched?.() ?? []).slice(0, MAX_WATCHED);
  }

  #hasTopics(): boolean {
    return this.#tellsOfTools() || this.#watched().length > 0;
  }

  #tellsOfTools(): boolean {
    return this.#options.remote.capabilities?.tools?.listChanged === true;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    let waitMs = MIN_WAIT_MS;
    while (!signal.aborted && this.#hasTopics()) {
      this.#renew = new AbortController();
      const renewed = AbortSignal.any([signal, this.#renew.signal]);
      const openedAt = performance.now();
      const end = await this.#listen(renewed).catch(endBy);
      if (signal.aborted) return;
      if (this.#renew.signal.aborted) continue;
      // a server may have no such stream: its lists are read again from time to time
      if (end === "refused" || this.#bytesLeft < 0) return;
      if (end === "broken") this.#options.listeners.onError(new Error(STREAM_ENDED));
      if (performance.now() - openedAt > GOOD_MS) waitMs = MIN_WAIT_MS;
      // ended by the signal, which the loop asks
      await sleep(waitMs, undefined, { signal: renewed, ref: false }).catch(() => {});
      waitMs = Math.min(waitMs * 2, MAX_WAIT_MS);
    }
  }

  /** Reads one stream until it ends. */
  async #listen(signal: AbortSignal): Promise<End> {
    const { remote, server, outgoing, credential } = this.#options;
    const id = crypto.randomUUID();
    const watched = this.#watched();
    const notifications = {
      ...(this.#tellsOfTools() && { toolsListChanged: true }),
      ...(watched.length > 0 && { resourceSubscriptions: watched }),
    };
    const method = "subscriptions/listen";
    const { params, headers } = remote.prepare(
      { method, params: { notifications } },
      id,
      {},
    );
    const body = JSON.stringify({ jsonrpc: "2.0", id, method, params });
    const connection = { remote, server, outgoing, credential, signal };
    const answer = await sendMessage(connection, { method: "POST", body, headers });
    if (answer.isEventStream) return this.#read(answer, signal);
    answer.body.destroy();
    return "refused";
  }

  async #read({ body }: RemoteAnswer, signal: AbortSignal): Promise<End> {
    const reader = new MessageReader();
    const stop = () => body.destroy();
    signal.addEventListener("abort", stop, { once: true });
    let end: End = "broken";
    try {
      for await (const chunk of body as AsyncIterable<Uint8Array>) {
        this.#count(chunk.byteLength);
        for (const message of reader.push(chunk)) end = this.#take(message) ?? end;
      }
    } finally {
      signal.removeEventListener("abort", stop);
    }
    return end;
  }

  /** A stream without an end may send this much in each minute. */
  #count(bytes: number): void {
    const now = performance.now();
    if (now - this.#countedSince > RATE_INTERVAL_MS)
      [this.#bytesLeft, this.#countedSince] = [MAX_ANSWER_BYTES, now];
    this.#bytesLeft -= bytes;
    if (this.#bytesLeft < 0) throw tooLarge();
  }

  /** @returns how the stream ends, by a message that says so. */
  #take(message: unknown): End | undefined {
    if (!isRecord(message)) return undefined;
    const { onToolsChanged, onResourceUpdated } = this.#options.listeners;
    const { method, params, error } = message;
    if (method === "notifications/tools/list_changed") onToolsChanged();
    const uri = isRecord(params) ? params["uri"] : undefined;
    if (method === "notifications/resources/updated" && typeof uri === "string")
      onResourceUpdated?.(uri);
    if (method !== undefined) return undefined;
    return isRecord(error) && error["code"] === ErrorCode.MethodNotFound
      ? "refused"
      : "ended";
  }
}

/** The words of the SDK's client for the same. */
const STREAM_ENDED = "SSE stream disconnected";

/** `refused`: there is no such stream; `ended`: the server said so; `broken`: without a word. */
type End = "refused" | "ended" | "broken";

/** A refusal with a status is that of a server without such a stream, unless it is overrun. */
function endBy(error: unknown): End {
  if (!(error instanceof StreamableHTTPError)) return "broken";
  const status = error.code ?? 0;
  return status >= 500 || status === 429 ? "broken" : "refused";
}
