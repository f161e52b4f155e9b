import { setTimeout as sleep } from "node:timers/promises";
import type { ServerCapabilities } from "@modelcontextprotocol/sdk/types.js";
import type { Outgoing } from "../../platform/outgoing/outgoing.ts";
import type { ApiError } from "../../platform/http/errors.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { coalesce, singleFlight } from "../../platform/single-flight.ts";
import { within } from "../../platform/within.ts";
import { connect } from "./connect.ts";
import type { ToolServer } from "./contract.ts";
import { explainState, isTimeout, unreachable } from "./explain-failure.ts";
import { readTools, type RemoteTool } from "./read-tools.ts";
import type { Era, Remote } from "./remote.ts";
import { type ServerSignIn, SIGN_IN_WANTED } from "./sign-in/credential.ts";

export type SessionState = "connecting" | "ready" | "idle" | "signed-out" | "down";

export interface ConnectionOptions {
  server: ToolServer;
  outgoing: Outgoing;
  log: Logger;
  callTimeoutMs: number;
  /** The sign-in that the server may want. */
  signIn: ServerSignIn;
  /** Called when the tools were read. */
  onTools: () => void;
}

/** A server that is back is connected within this time. */
const MAX_BACKOFF_MS = 8_000;
/** A server that wants a sign-in is connected at once when somebody has signed in. */
const MAX_SIGNED_OUT_MS = 60_000;
const MIN_BACKOFF_MS = 500;
/** A server can announce changes faster than its tools are read. */
const MIN_ANNOUNCED_REFRESH_MS = 1_000;
/** How long a call waits for a server that could not be reached the last time. */
const MAX_WAIT_AFTER_FAILURE_MS = 2_000;

/** The connection to one tool server. It reconnects by itself, and knows the server's tools. */
export class Connection implements AsyncDisposable {
  state: SessionState = "connecting";
  /** Why the server cannot be reached. */
  failure: ApiError | undefined;
  /** The last list of tools, also while the server is down; `undefined` before the first one. */
  tools: RemoteTool[] | undefined;
  /** By the server's own words; undefined before the first connection. */
  capabilities: ServerCapabilities | undefined;
  /** What the server was found to speak, until the connection breaks. */
  era: Era | undefined;
  /** Resolves when the first attempt to connect has ended, with or without success. */
  readonly attempted: Promise<void>;
  /** Calls that run now. */
  activeCalls = 0;
  lastUsed = performance.now();

  readonly #options: ConnectionOptions;
  readonly #closing = new AbortController();
  #client: Remote | undefined;
  #hasFailed = false;
  #isReconnecting = false;
  /** By the address of a resource: who wants to know that it changed. */
  readonly #watched = new Map<string, Set<() => void>>();
  #announced: NodeJS.Timeout | undefined;
  #announcedReadAt = Number.NEGATIVE_INFINITY;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.attempted = this.#connect().then(
      () => {},
      () => void this.#reconnect(),
    );
  }

  /** Reads the tools again. */
  readonly refresh = coalesce(async () => {
    const { server, log, onTools } = this.#options;
    const client = await this.#connect();
    try {
      this.tools = await readTools(client, server.name, log);
      onTools();
    } catch (error) {
      this.drop(client, explainState(error));
      throw error;
    }
  });

  /** Refreshes, and leaves failures to the reconnection. */
  refreshInBackground(): void {
    this.refresh().catch(() => {});
  }

  /** Reads tools that the server says have changed: at once, and then at most once a second. */
  #readAnnounced(): void {
    if (this.#announced) return;
    const waitMs = this.#announcedReadAt + MIN_ANNOUNCED_REFRESH_MS - performance.now();
    const read = () => {
      this.#announced = undefined;
      this.#announcedReadAt = performance.now();
      this.refreshInBackground();
    };
    this.#announced = setTimeout(read, Math.max(0, waitMs)).unref();
  }

  /**
   * The client for a call. Only the first call after a failure waits long: while the server is
   * down, other calls fail soon.
   * @throws BadGateway `tool_server_unreachable`.
   */
  async reach(withinMs: number): Promise<Remote> {
    if (this.#client) return this.#client;
    const waitMs = this.#hasFailed
      ? Math.min(withinMs, MAX_WAIT_AFTER_FAILURE_MS)
      : withinMs;
    const late = () => new Error(this.failure?.message);
    try {
      return await within(waitMs, this.#connect(), late);
    } catch (error) {
      throw unreachable(this.#options.server.name, error);
    }
  }

  /** Gives up a client whose connection broke, and reconnects. */
  drop(client: Remote, failure: ApiError): void {
    if (this.#client !== client || this.#closing.signal.aborted) return;
    this.#client = undefined;
    this.era = undefined;
    this.state = stateOf(failure);
    this.failure = failure;
    // other calls on it must still learn their own end
    setTimeout(() => void client.close(), this.#options.callTimeoutMs).unref();
    void this.#reconnect();
  }

  /**
   * Calls back whenever the server says that a resource changed, also after reconnecting.
   * @returns a function that ends it.
   */
  watch(uri: string, onUpdate: () => void): () => void {
    const watchers = this.#watched.get(uri) ?? new Set();
    this.#watched.set(uri, watchers.add(onUpdate));
    if (!this.#client) this.refreshInBackground();
    else if (watchers.size === 1 && !this.#options.signIn.isPersonal)
      this.#log(this.#client.watch(uri));
    return () => {
      watchers.delete(onUpdate);
      if (watchers.size > 0) return;
      this.#watched.delete(uri);
      if (this.#client) this.#log(this.#client.unwatch(uri));
    };
  }

  get isWatched(): boolean {
    return this.#watched.size > 0;
  }

  #log(watching: Promise<void>): void {
    const { server, log } = this.#options;
    watching.catch((error: unknown) =>
      log.debug({ err: error, server: server.name }, "a resource is not watched"),
    );
  }

  /** Ends an unused session. The next call opens it again. */
  rest(): void {
    const client = this.#client;
    if (!client) return;
    this.#client = undefined;
    this.state = "idle";
    void client.close();
  }

  get isOpen(): boolean {
    return this.#client !== undefined;
  }

  async #connect(): Promise<Remote> {
    return this.#client ?? this.#openOnce();
  }

  readonly #openOnce = singleFlight(async () => {
    try {
      return await this.#open();
    } catch (error) {
      this.#hasFailed = true;
      // an old server may leave the question for its version without an answer: ask it otherwise
      const isSilent = isTimeout(error) && this.era === undefined;
      this.era = isSilent ? "sessions" : undefined;
      this.failure = explainState(error);
      this.state = stateOf(this.failure);
      throw error;
    }
  });

  async #open(): Promise<Remote> {
    const { server, outgoing, log, onTools, signIn } = this.#options;
    const listeners = {
      onToolsChanged: () => this.#readAnnounced(),
      watched: () => (signIn.isPersonal ? [] : [...this.#watched.keys()]),
      onResourceUpdated: (uri: string) => {
        // it is said to one account, which is not that of who watches
        if (signIn.isPersonal) return;
        for (const onUpdate of this.#watched.get(uri) ?? []) onUpdate();
      },
      onError: (error: Error) => this.#onError(error),
    };
    const { era } = this;
    const { signal } = this.#closing;
    const credential = signIn.credentialOf("listing");
    const client = await connect(server, outgoing, listeners, signal, { era, credential });
    try {
      this.tools = await readTools(client, server.name, log);
      this.#closing.signal.throwIfAborted();
    } catch (error) {
      void client.close();
      throw error;
    }
    this.#client = client;
    if (!signIn.isPersonal)
      for (const uri of this.#watched.keys()) this.#log(client.watch(uri));
    this.capabilities = client.capabilities;
    this.era = client.era;
    this.state = "ready";
    this.failure = undefined;
    this.#hasFailed = false;
    this.lastUsed = performance.now();
    log.info(
      { server: server.name, tools: this.tools.length },
      "connected to a tool server",
    );
    onTools();
    return client;
  }

  /** A failed call reports itself. Otherwise the end of the stream of notifications is a sign. */
  #onError(error: Error): void {
    const { server, log } = this.#options;
    log.debug({ err: error, server: server.name }, "error in a tool session");
    const isStreamEnd = error.message.startsWith("SSE stream disconnected");
    if (this.#client && this.activeCalls === 0 && isStreamEnd) this.refreshInBackground();
  }

  /** Waits double, with jitter, so that a server which comes back is not overrun. */
  async #reconnect(): Promise<void> {
    if (this.#isReconnecting) return;
    this.#isReconnecting = true;
    const { signal } = this.#closing;
    let logged: string | undefined;
    for (let waitMs = MIN_BACKOFF_MS; !signal.aborted && !this.#client;) {
      try {
        await this.#connect();
      } catch {
        if (this.failure?.message !== logged) this.#logUnreachable();
        logged = this.failure?.message;
        const jitteredMs = waitMs / 2 + Math.random() * (waitMs / 2);
        // ended by the signal, which the loop asks
        await sleep(jitteredMs, undefined, { signal, ref: false }).catch(() => {});
        const isSignedOut = this.state === "signed-out";
        waitMs = Math.min(waitMs * 2, isSignedOut ? MAX_SIGNED_OUT_MS : MAX_BACKOFF_MS);
      }
    }
    this.#isReconnecting = false;
  }

  #logUnreachable(): void {
    const { server, log } = this.#options;
    const fields = { server: server.name, reason: this.failure?.message };
    log.warn(fields, "cannot reach a tool server; trying again");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#announced);
    const client = this.#client;
    this.#client = undefined;
    if (client) await client.close();
  }
}

function stateOf({ code }: ApiError): SessionState {
  return SIGN_IN_WANTED.includes(code) ? "signed-out" : "down";
}
