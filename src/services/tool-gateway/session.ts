import {
  ErrorCode,
  McpError,
  type ServerCapabilities,
} from "@modelcontextprotocol/sdk/types.js";
import { logFailedCall } from "../../platform/outgoing/log-failed-call.ts";
import { createFairQueue, type FairQueue } from "../../platform/fair-queue.ts";
import { ApiError, BadGateway, Unavailable } from "../../platform/http/errors.ts";
import { type Answer, askServer, type Notice } from "./call-tool.ts";
import { Connection, type ConnectionOptions, type SessionState } from "./connection.ts";
import type { ToolResult, ToolServer } from "./contract.ts";
import {
  explainFailure,
  isLostSession,
  isSessionGone,
  isTimeout,
  unreachable,
  connectionBroken,
  sessionLost,
} from "./explain-failure.ts";
import { type CreatedTask, isTask } from "./created-task.ts";
import { finishTask } from "./finish-task.ts";
import { type InputRequired, type Inputs, withInputs } from "./input-required.ts";
import { paramHeaders, paramHeadersOf } from "./param-headers.ts";
import type { RemoteTool } from "./read-tools.ts";
import type { Remote } from "./remote.ts";
import { RemoteError } from "./remote-error.ts";
import type { Credential, ServerSignIn } from "./sign-in/credential.ts";
import { toResult } from "./tool-result.ts";
import { UserSessions } from "./user-sessions.ts";
import { withoutTemplates } from "./user-values/header-templates.ts";
import type { Ask, Questions } from "./questions.ts";

const MAX_WAITING_CALLS = 1_000;
/** One user's calls to one server, running or waiting. */
const MAX_CALLS_PER_USER = 500;
const RETRY_MS = 1_000;
const CANCEL_TIMEOUT_MS = 5_000;

/** One tool server, with an open session that is restored by itself. */
export interface Session extends AsyncDisposable {
  readonly server: ToolServer;
  readonly signIn: ServerSignIn;
  readonly state: SessionState;
  /** Why the server cannot be reached. */
  readonly failure: ApiError | undefined;
  /** The last list of tools, also while the server is down; `undefined` before the first one. */
  readonly tools: RemoteTool[] | undefined;
  /** Resolves when the first attempt to connect has ended, with or without success. */
  readonly attempted: Promise<void>;
  refresh(): Promise<void>;
  /** What the server can do, by its own words; undefined before the first connection. */
  readonly capabilities: ServerCapabilities | undefined;
  /**
   * Calls back whenever the server says that a resource changed, in the session of everybody: what
   * changed is for each caller to read. @returns a function that ends it.
   */
  watch(uri: string, onUpdate: () => void): () => void;
  /** Begins to read the tools again, and ends what nobody used for `idleMs`. */
  maintain(): void;
  /**
   * Takes at most `callTimeoutMs`, with waiting, connecting and a second attempt.
   * @throws BadGateway `tool_server_unreachable`, GatewayTimeout `tool_timeout`, Unavailable
   * `tool_server_busy`, and RemoteError for a caller that cannot be asked enough.
   */
  call(
    name: string,
    args: Record<string, unknown>,
    options: PlainCallOptions,
  ): Promise<ToolResult>;
  call(
    name: string,
    args: Record<string, unknown>,
    options: CallOptions,
  ): Promise<ToolResult | InputRequired | CreatedTask>;
  /** Sends any other request, under the same limits. @throws what `call` throws, RemoteError. */
  ask(ask: Ask, options: CallOptions): Promise<unknown>;
}

export interface CallOptions {
  /** Users take turns at a server with too many calls. */
  userId: string | undefined;
  signal: AbortSignal;
  /** Takes what the server says meanwhile. */
  onNotice?: (notice: Notice) => void;
  /** What the caller can be asked in the middle of a request, and how. */
  questions?: Questions | undefined;
  /** Of a caller that gets what a server of 2026-07-28 asks as the answer of its request. */
  inputs?: Inputs | undefined;
  /** The caller follows tasks by itself, and gets one as its answer. */
  takesTasks?: boolean | undefined;
  /** What the caller wrote into `_meta`. */
  meta?: Record<string, unknown> | undefined;
  /** The least level of log lines that the caller wants. */
  logLevel?: string | undefined;
}

/** Of a caller that wants a result. */
export type PlainCallOptions = CallOptions & {
  inputs?: undefined;
  takesTasks?: undefined;
};

interface SessionOptions extends Omit<ConnectionOptions, "onTools"> {
  /** A session without calls for this long is closed. Its tools stay listed. */
  idleMs: number;
  /** Calls to one server at once. */
  concurrency: number;
  /** Called when the tools were read. */
  changed: () => void;
}

interface Call extends CallOptions {
  ask: Ask;
  /** Arguments that the server wants as headers, too. */
  headers?: Record<string, string> | undefined;
  /** By `performance.now()`. */
  deadline: number;
}

export function openSession(options: SessionOptions): Session {
  return new ToolSession(options);
}

class ToolSession implements Session {
  readonly server: ToolServer;
  readonly signIn: ServerSignIn;
  readonly #options: SessionOptions;
  /** The server without the headers that differ from user to user. */
  readonly #plain: ToolServer;
  readonly #connection: Connection;
  readonly #users: UserSessions;
  readonly #queue: FairQueue;

  constructor(options: SessionOptions) {
    const { server, callTimeoutMs, concurrency, changed } = options;
    this.server = server;
    this.signIn = options.signIn;
    this.#options = options;
    this.#plain = withoutTemplates(server);
    const connecting = { ...options, server: this.#plain };
    this.#connection = new Connection({ ...connecting, onTools: changed });
    const isBusy = () => busy(server.name);
    this.#users = new UserSessions({ ...connecting, busy: isBusy });
    this.#queue = createFairQueue({
      size: concurrency,
      maxWaiting: MAX_WAITING_CALLS,
      maxPerUser: MAX_CALLS_PER_USER,
      maxWaitMs: callTimeoutMs,
      busy: isBusy,
      tooMany: isBusy,
    });
  }

  get state(): SessionState {
    return this.#connection.state;
  }

  get failure(): ApiError | undefined {
    return this.#connection.failure;
  }

  get tools(): RemoteTool[] | undefined {
    return this.#connection.tools;
  }

  get capabilities(): ServerCapabilities | undefined {
    return this.#connection.capabilities;
  }

  get attempted(): Promise<void> {
    return this.#connection.attempted;
  }

  refresh(): Promise<void> {
    return this.#connection.refresh();
  }

  watch(uri: string, onUpdate: () => void): () => void {
    return this.#connection.watch(uri, onUpdate);
  }

  call(
    name: string,
    args: Record<string, unknown>,
    options: PlainCallOptions,
  ): Promise<ToolResult>;
  async call(
    name: string,
    args: Record<string, unknown>,
    options: CallOptions,
  ): Promise<ToolResult | InputRequired | CreatedTask> {
    const { signal, questions, inputs } = options;
    const tool = this.tools?.find((one) => one.name === name);
    const headers = paramHeaders(paramHeadersOf(tool?.inputSchema ?? {}) ?? [], args);
    const rounds = { server: this.server.name, signal, questions, inputs };
    const result = await withInputs(rounds, (round) => {
      const params = { name, arguments: args, ...round };
      return this.#within(
        { ...options, ask: { method: "tools/call", params }, headers },
        toResult,
      );
    });
    return isTask(result) && !options.takesTasks ? this.#finish(result, options) : result;
  }

  /** Follows a task for a caller that wants a result, and cancels it for one that leaves. */
  async #finish(task: CreatedTask, options: CallOptions): Promise<ToolResult> {
    const { userId, signal, questions, onNotice } = options;
    const server = this.server.name;
    const asking = { userId, signal, meta: options.meta };
    try {
      return await finishTask({
        server,
        task,
        signal,
        questions,
        onNotice,
        ask: (ask) => this.ask(ask, asking),
      });
    } catch (error) {
      const params = { taskId: task.taskId };
      const soon = AbortSignal.timeout(CANCEL_TIMEOUT_MS);
      // a courtesy: the task may be over, and the server may have gone
      this.ask({ method: "tasks/cancel", params }, { userId, signal: soon }).catch(
        () => {},
      );
      signal.throwIfAborted();
      if (error instanceof RemoteError) throw taskLost(server, error);
      throw (
        explainFailure(error, server, this.#options.callTimeoutMs) ??
        (error instanceof ApiError ? error : unreachable(server, error))
      );
    }
  }

  async ask(ask: Ask, options: CallOptions): Promise<unknown> {
    const { signal, questions, inputs } = options;
    const rounds = { server: this.server.name, signal, questions, inputs };
    return withInputs(rounds, async (round) => {
      const params = { ...ask.params, ...round };
      const call = { ...options, ask: { method: ask.method, params } };
      const { result, error } = await this.#within(call, withoutLostSession);
      if (error) throw new RemoteError(error);
      return result;
    });
  }

  async #within<T>(asked: Omit<Call, "deadline">, read: (answer: Answer) => T): Promise<T> {
    const { callTimeoutMs, log } = this.#options;
    const { userId, signal, ask } = asked;
    const deadline = performance.now() + callTimeoutMs;
    const call = { ...asked, deadline };
    const leave = await this.#queue.enter(userId, { signal });
    try {
      return await this.#callTwice(call, read);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof RemoteError) throw error;
      const failure =
        explainFailure(error, this.server.name, callTimeoutMs) ??
        unreachable(this.server.name, error);
      const { method, params } = ask;
      const what = { toolServer: this.server.name, method, tool: params["name"] };
      logFailedCall(log, what, failure);
      throw failure;
    } finally {
      leave();
    }
  }

  /** A server that did not know the session did not run the tool: a new session may. */
  async #callTwice<T>(call: Call, read: (answer: Answer) => T): Promise<T> {
    try {
      return await this.#callOnce(call, read);
    } catch (error) {
      if (!isSessionGone(error)) throw error;
      return this.#callOnce(call, read);
    }
  }

  /** @throws what `callTool` throws, after a broken connection was dropped. */
  async #callOnce<T>(call: Call, read: (answer: Answer) => T): Promise<T> {
    const { deadline, questions } = call;
    const owner = ownerOf(call);
    const connection = this.#connection;
    const leftMs = () => deadline - performance.now();
    connection.activeCalls += 1;
    try {
      const client = await connection.reach(leftMs());
      if (owner === undefined || !client.isStateful)
        return await this.#callIn(client, call, read, (reason) =>
          connection.drop(client, reason),
        );
      const capabilities = questions?.capabilities ?? {};
      const limits = { withinMs: leftMs(), credential: this.#credentialOf(call) };
      return await this.#users.use(owner, capabilities, limits, (own) =>
        this.#callIn(own, call, read, (reason) => {
          this.#users.drop(owner, own);
          if (reason.code !== "tool_session_lost") connection.refreshInBackground();
        }),
      );
    } finally {
      connection.activeCalls -= 1;
      connection.lastUsed = performance.now();
    }
  }

  /** @param drop gives up a session that is lost or broken. */
  async #callIn<T>(
    remote: Remote,
    { ask, deadline, signal, onNotice, questions, ...call }: Call,
    read: (answer: Answer) => T,
    drop: (reason: ApiError) => void,
  ): Promise<T> {
    const server = this.#plain;
    const { outgoing, callTimeoutMs } = this.#options;
    const timeoutMs = deadline - performance.now();
    if (timeoutMs <= 0) throw new McpError(ErrorCode.RequestTimeout, "no time was left");
    try {
      const onQuestion = questions && ((question: Ask) => questions.ask(question));
      const limits = { timeoutMs, silenceMs: callTimeoutMs, onNotice, onQuestion };
      const { meta, logLevel, headers, inputs } = call;
      const { capabilities } = inputs ?? questions ?? {};
      const said = { meta, logLevel, headers, capabilities };
      const credential = this.#credentialOf({ ask, userId: call.userId });
      const options = { remote, server, outgoing, credential, meta: said, ...limits };
      return read(await askServer(options, ask, signal));
    } catch (error) {
      if (error instanceof RemoteError) throw error;
      if (isTimeout(error)) this.#connection.refreshInBackground();
      if (isSessionGone(error)) drop(sessionLost());
      else if (!signal.aborted && !explainFailure(error, server.name, callTimeoutMs))
        drop(connectionBroken());
      throw error;
    }
  }

  /** A list is read for everybody; what a user asks for is asked with their own account. */
  #credentialOf({ ask, userId }: Pick<Call, "ask" | "userId">): Credential {
    if (userId !== undefined) return this.signIn.credentialOf({ userId });
    return this.signIn.credentialOf(ask.method.endsWith("/list") ? "listing" : "nobody");
  }

  maintain(): void {
    const connection = this.#connection;
    this.#users.endIdle();
    if (!connection.isOpen) return;
    const idleForMs = performance.now() - connection.lastUsed;
    const isInUse = connection.activeCalls > 0 || connection.isWatched;
    if (isInUse || idleForMs < this.#options.idleMs) connection.refreshInBackground();
    else connection.rest();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#users[Symbol.asyncDispose]();
    await this.#connection[Symbol.asyncDispose]();
  }
}

/**
 * Whose session a request needs at a server that keeps some: that of its user, and another one
 * where the server may ask. Without either it is that of everybody.
 */
function ownerOf({ userId, questions }: Call): string | undefined {
  if (userId === undefined && !questions) return undefined;
  const asked = Object.entries(questions?.capabilities ?? {}).toSorted();
  // ids of foreign tokens may hold anything
  return JSON.stringify([userId ?? null, ...asked]);
}

/** @throws McpError for an answer that nothing was done for: a new session may do it. */
function withoutLostSession(answer: Answer): Answer {
  const { code, message = "" } = answer.error ?? {};
  if (code !== undefined && isLostSession(code, message)) throw new McpError(code, message);
  return answer;
}

/** A server forgets tasks, and says so with an error of the protocol. */
function taskLost(server: string, error: RemoteError): BadGateway {
  return new BadGateway(
    "tool_failed",
    `"${server}" does not say how its task goes: ${error.message} Try the call again.`,
    { cause: error },
  );
}

function busy(server: string): Unavailable {
  return new Unavailable(
    "tool_server_busy",
    `"${server}" has too many calls at once. Try again in a moment.`,
    RETRY_MS,
    { params: { server } },
  );
}
