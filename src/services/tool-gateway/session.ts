import { McpError, type ServerCapabilities } from "@modelcontextprotocol/sdk/types.js";
import { ApiError, BadGateway } from "../../platform/http/errors.ts";
import type { Answer } from "./call-tool.ts";
import { Connection, type ConnectionOptions, type SessionState } from "./connection.ts";
import type { ToolServer } from "./contract.ts";
import type { ToolResult } from "./contract-tools.ts";
import { type CreatedTask, isTask } from "./created-task.ts";
import { explainFailure, isLostSession, unreachable } from "./explain-failure.ts";
import { finishTask } from "./finish-task.ts";
import { type InputRequired, withInputs } from "./input-required.ts";
import { paramHeaders, paramHeadersOf } from "./param-headers.ts";
import type { Ask } from "./questions.ts";
import type { RemoteTool } from "./read-tools.ts";
import { RemoteError } from "./remote-error.ts";
import { busy, type CallOptions, SessionRequests } from "./session-requests.ts";
import type { ServerSignIn } from "./sign-in/credential.ts";
import { toResult } from "./tool-result.ts";
import { UserSessions } from "./user-sessions.ts";
import { withoutTemplates } from "./user-values/header-templates.ts";

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

export function openSession(options: SessionOptions): Session {
  return new ServerSession(options);
}

class ServerSession implements Session {
  readonly server: ToolServer;
  readonly signIn: ServerSignIn;
  readonly #options: SessionOptions;
  readonly #connection: Connection;
  readonly #users: UserSessions;
  readonly #requests: SessionRequests;

  constructor(options: SessionOptions) {
    const { server, signIn, changed } = options;
    this.server = server;
    this.signIn = signIn;
    this.#options = options;
    // without the headers that differ from user to user
    const plain = withoutTemplates(server);
    const connecting = { ...options, server: plain };
    const connection = new Connection({ ...connecting, onTools: changed });
    const users = new UserSessions({ ...connecting, busy: () => busy(server.name) });
    this.#connection = connection;
    this.#users = users;
    this.#requests = new SessionRequests({ ...options, server: plain, connection, users });
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
      return this.#requests.send(
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
        hear: (onAnnounced, until) =>
          void this.#requests.hearTask(task.taskId, onAnnounced, { userId, signal: until }),
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
      const { result, error } = await this.#requests.send(call, withoutLostSession);
      if (error) throw new RemoteError(error);
      return result;
    });
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
