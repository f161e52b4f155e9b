import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { createFairQueue, type FairQueue } from "../../platform/fair-queue.ts";
import { type ApiError, Unavailable } from "../../platform/http/errors.ts";
import { logFailedCall } from "../../platform/outgoing/log-failed-call.ts";
import { type Answer, askServer, type Notice } from "./call-tool.ts";
import type { Connection, ConnectionOptions } from "./connection.ts";
import {
  connectionBroken,
  explainFailure,
  isSessionGone,
  isTimeout,
  sessionLost,
  unreachable,
} from "./explain-failure.ts";
import { hearTask } from "./hear-task.ts";
import type { Inputs } from "./input-required.ts";
import type { Ask, Questions } from "./questions.ts";
import type { Remote } from "./remote.ts";
import { RemoteError } from "./remote-error.ts";
import type { Credential } from "./sign-in/credential.ts";
import type { UserSessions } from "./user-sessions.ts";

const MAX_WAITING_CALLS = 1_000;
/** One user's calls to one server, running or waiting. */
const MAX_CALLS_PER_USER = 500;
const RETRY_MS = 1_000;
/** At one server. */
const MAX_HEARD_TASKS = 50;
const SILENCE_MS = 60_000;

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

interface Call extends CallOptions {
  ask: Ask;
  /** Arguments that the server wants as headers, too. */
  headers?: Record<string, string> | undefined;
  /** By `performance.now()`. */
  deadline: number;
}

interface Options extends Omit<ConnectionOptions, "onTools"> {
  /** In the session of everybody. */
  connection: Connection;
  users: UserSessions;
  /** Requests to the server at once. */
  concurrency: number;
}

/**
 * The requests to one tool server: users take turns, each request has one deadline with waiting,
 * connecting and a second attempt, and goes in the session that it needs.
 */
export class SessionRequests {
  readonly #options: Options;
  readonly #queue: FairQueue;
  /** Streams in which the server announces tasks. */
  #heard = 0;
  /** By `performance.now()`: until then a server that announces none is not asked for it again. */
  #silentUntil = 0;

  constructor(options: Options) {
    this.#options = options;
    const isBusy = () => busy(options.server.name);
    this.#queue = createFairQueue({
      size: options.concurrency,
      maxWaiting: MAX_WAITING_CALLS,
      maxPerUser: MAX_CALLS_PER_USER,
      maxWaitMs: options.callTimeoutMs,
      busy: isBusy,
      tooMany: isBusy,
    });
  }

  /** @throws ApiError, and RemoteError for what the server answers by an error. */
  async send<T>(asked: Omit<Call, "deadline">, read: (answer: Answer) => T): Promise<T> {
    const { server, callTimeoutMs, log } = this.#options;
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
        explainFailure(error, server.name, callTimeoutMs) ??
        unreachable(server.name, error);
      const { method, params } = ask;
      const what = { toolServer: server.name, method, tool: params["name"] };
      logFailedCall(log, what, failure);
      throw failure;
    } finally {
      leave();
    }
  }

  /**
   * Hears of a task from a server that announces tasks, with the account of its user. Never throws:
   * whoever follows a task asks for it, too.
   */
  async hearTask(
    taskId: string,
    onAnnounced: () => void,
    { userId, signal }: Pick<CallOptions, "userId" | "signal">,
  ): Promise<void> {
    if (this.#heard >= MAX_HEARD_TASKS || performance.now() < this.#silentUntil) return;
    this.#heard += 1;
    try {
      const { server, outgoing, connection, callTimeoutMs } = this.#options;
      const remote = await connection.reach(callTimeoutMs);
      const ask = { method: "subscriptions/listen", params: {} };
      const credential = this.#credentialOf({ ask, userId });
      const stream = { remote, server, outgoing, credential, signal };
      const announces =
        remote.era === "stateless" && (await hearTask(stream, taskId, onAnnounced));
      if (!announces) this.#silentUntil = performance.now() + SILENCE_MS;
    } catch {
      // the server refuses, or the stream broke: the next task is heard again after a while
      if (!signal.aborted) this.#silentUntil = performance.now() + SILENCE_MS;
    } finally {
      this.#heard -= 1;
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
    const { connection, users } = this.#options;
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
      return await users.use(owner, capabilities, limits, (own) =>
        this.#callIn(own, call, read, (reason) => {
          users.drop(owner, own);
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
    const { server, connection, outgoing, callTimeoutMs } = this.#options;
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
      if (isTimeout(error)) connection.refreshInBackground();
      if (isSessionGone(error)) drop(sessionLost());
      else if (!signal.aborted && !explainFailure(error, server.name, callTimeoutMs))
        drop(connectionBroken());
      throw error;
    }
  }

  /** A list is read for everybody; what a user asks for is asked with their own account. */
  #credentialOf({ ask, userId }: Pick<Call, "ask" | "userId">): Credential {
    const { signIn } = this.#options;
    if (userId !== undefined) return signIn.credentialOf({ userId });
    return signIn.credentialOf(ask.method.endsWith("/list") ? "listing" : "nobody");
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

export function busy(server: string): Unavailable {
  return new Unavailable(
    "tool_server_busy",
    `"${server}" has too many calls at once. Try again in a moment.`,
    RETRY_MS,
    { params: { server } },
  );
}
