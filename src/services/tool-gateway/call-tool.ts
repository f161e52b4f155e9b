import { setTimeout as sleep } from "node:timers/promises";
import type { Readable } from "node:stream";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { ApiError } from "../../platform/http/errors.ts";
import { isRecord } from "../../platform/json/is-record.ts";
import type { ClientAnswer } from "./client-answers.ts";
import { type Ask, QUESTIONS } from "./questions.ts";
import type { Remote, RequestMeta } from "./remote.ts";
import { MessageReader, parseMessage } from "./read-messages.ts";
import { repairMessage } from "./repair-message.ts";
import { sendMessage, type ServerConnection } from "./send-message.ts";
import { MAX_ANSWER_BYTES, tooLarge } from "./tool-fetch.ts";

/** How long a server may take to end the stream after its answer. */
const MAX_END_MS = 1_000;
const MAX_PROGRESS_MS = 10 * 60_000;
/** In one call. */
const MAX_QUESTIONS = 50;

interface CallOptions extends Omit<ServerConnection, "signal"> {
  timeoutMs: number;
  /** How long a tool that reports progress may then be silent. */
  silenceMs: number;
  /** How much longer than its time a tool may run that reports progress. Default: 10 minutes. */
  progressMs?: number;
  /** What the request says about its caller. */
  meta?: RequestMeta | undefined;
  /** Takes what the server says meanwhile: progress and lines of its log. */
  onNotice?: ((notice: Notice) => void) | undefined;
  /** Answers what the server asks meanwhile. Without it, that is refused. */
  onQuestion?: ((question: Ask) => Promise<ClientAnswer>) | undefined;
}

/** What a server says while it works on a request. */
export interface Notice {
  method: "notifications/progress" | "notifications/message";
  params: Record<string, unknown>;
}

/** The fields of a JSON-RPC response that we read. */
export interface Answer {
  id?: unknown;
  result?: unknown;
  error?: { code?: number; message?: string; data?: unknown };
}

interface RunningCall {
  id: string;
  remote: Remote;
  onNotice: (notice: Notice) => void;
  /** Answers a message by itself. @returns whether it does. */
  takeQuestion: (message: Record<string, unknown>) => boolean;
}

/** Bytes that the answers to one call may still have. */
interface Allowance {
  bytesLeft: number;
}

/**
 * Sends a request in an open session. The SDK's client does the same at four times the cost, and
 * does not notice when an answer is cut. Source: Model Context Protocol, streamable HTTP: sending
 * messages, resumability, cancellation.
 * @throws McpError, StreamableHTTPError, BadGateway `tool_result_too_large`; any other error means
 * that the connection broke.
 */
export async function askServer(
  {
    remote,
    server,
    outgoing,
    credential,
    timeoutMs,
    silenceMs,
    progressMs = MAX_PROGRESS_MS,
    meta = {},
    onNotice: tell,
    onQuestion,
  }: CallOptions,
  ask: Ask,
  signal: AbortSignal,
): Promise<Answer> {
  const id = crypto.randomUUID();
  const stopped = new AbortController();
  const cancel = (cause: unknown, reason: string) => {
    remote.cancel(id, reason);
    stopped.abort(cause);
  };
  const abort = () => cancel(signal.reason, "the caller left");
  const stop = () =>
    cancel(new McpError(ErrorCode.RequestTimeout, "timed out"), "it took too long");
  let timer = setTimeout(stop, timeoutMs);
  const latest = performance.now() + timeoutMs + progressMs;
  let isOver = false;
  const wait = (ms: number) => {
    clearTimeout(timer);
    if (isOver) return;
    const leftMs = latest - performance.now();
    timer = setTimeout(stop, Math.max(0, Math.min(ms, leftMs)));
  };
  const onNotice = (notice: Notice) => {
    tell?.(notice);
    if (notice.method === "notifications/progress") wait(silenceMs);
  };
  const connection = { outgoing, server, remote, credential, signal: stopped.signal };
  let questions = 0;
  const answer = async (question: Ask): Promise<ClientAnswer> => {
    questions += 1;
    if (!onQuestion) throw new Error("this call has nobody to ask");
    if (questions > MAX_QUESTIONS) throw tooLarge();
    // a person may think as long as a tool may work
    wait(progressMs);
    try {
      return await onQuestion(question);
    } finally {
      wait(silenceMs);
    }
  };
  const takeQuestion = (message: Record<string, unknown>) => {
    const { id: questionId, method: asked, params = {} } = message;
    if (!QUESTIONS.includes(String(asked)) || !isRecord(params)) return false;
    if (questions >= MAX_QUESTIONS) throw tooLarge();
    // without anybody to ask it is refused: another call that runs may be another user's
    void answer({ method: String(asked), params })
      .catch((error: unknown) => ({ error: refusal(error) }))
      .then((given) =>
        sendResponse(connection, { jsonrpc: "2.0", id: questionId, ...given }),
      )
      // the server waits no longer, or has gone: the call learns its own end
      .catch(() => {});
    return true;
  };
  signal.throwIfAborted();
  signal.addEventListener("abort", abort, { once: true });
  // what has no session is shared by all users: its questions might be another's
  const isOwn = onQuestion !== undefined && remote.isStateful;
  const unasked = isOwn ? remote.answering(answer) : () => {};
  try {
    if (remote.hasOneStream)
      return await requestOlder(remote, ask, onNotice, stopped.signal);
    const call = { id, remote, onNotice, takeQuestion };
    return await requestCall(connection, call, ask, meta);
  } catch (error) {
    throw stopped.signal.aborted ? stopped.signal.reason : error;
  } finally {
    unasked();
    isOver = true;
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

/**
 * Sends a call and reads until its answer arrives. When a stream ends before that, it continues in
 * another stream, where the server offers one.
 */
async function requestCall(
  connection: ServerConnection,
  call: RunningCall,
  ask: Ask,
  meta: RequestMeta,
): Promise<Answer> {
  const { signal, remote } = connection;
  const { id } = call;
  const { method } = ask;
  const { params, headers } = remote.prepare(ask, id, meta);
  const reader = new MessageReader();
  const allowance = { bytesLeft: MAX_ANSWER_BYTES };
  const body = JSON.stringify({ method, params, jsonrpc: "2.0", id });
  let response = await sendMessage(connection, { method: "POST", body, headers });
  for (;;) {
    const answer = response.isEventStream
      ? await readUntil(response.body, allowance, (chunk) =>
          takeAnswer(call, reader.push(chunk)),
        )
      : takeAnswer(call, await readWhole(response.body, allowance));
    const found = answer ?? takeAnswer(call, reader.end());
    if (found) return { ...found, result: remote.unwrap(found.result) };
    const { lastEventId } = reader;
    if (lastEventId === undefined || remote.era === "stateless")
      throw new Error("the answer was cut");
    await sleep(reader.retryMs, undefined, { signal });
    const after = { ...remote.headers(), "last-event-id": lastEventId };
    response = await sendMessage(connection, { method: "GET", headers: after });
  }
}

/** A call over the older transport, whose answers arrive in the one stream of the session. */
async function requestOlder(
  remote: Remote,
  ask: Ask,
  onNotice: RunningCall["onNotice"],
  signal: AbortSignal,
): Promise<Answer> {
  try {
    const result = await remote.request(ask, {
      signal,
      timeoutMs: MAX_PROGRESS_MS,
      onProgress: (params) => onNotice({ method: "notifications/progress", params }),
    });
    return { result };
  } catch (error) {
    const isAnswer = error instanceof McpError && error.code !== ErrorCode.ConnectionClosed;
    if (!isAnswer || signal.aborted) throw error;
    const message = error.message.replace(/^MCP error -?\d+: /, "");
    return { error: { code: error.code, message, data: error.data } };
  }
}

/**
 * Reads until `find` returns a value for a chunk. The stream normally ends right after an answer,
 * and reading its end keeps the connection usable. A server that continues is cut off.
 * @throws what `find` throws, BadGateway `tool_result_too_large`; any other error means that the
 * connection broke.
 */
function readUntil<T>(
  body: Readable,
  allowance: Allowance,
  find: (chunk: Uint8Array) => T | undefined,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    let cutOff: NodeJS.Timeout | undefined;
    body.on("data", (chunk: Uint8Array) => {
      allowance.bytesLeft -= chunk.byteLength;
      if (allowance.bytesLeft < 0) body.destroy(tooLarge());
      if (cutOff || allowance.bytesLeft < 0) return;
      try {
        const value = find(chunk);
        if (value === undefined) return;
        resolve(value);
        cutOff = setTimeout(() => body.destroy(), MAX_END_MS).unref();
      } catch (error) {
        body.destroy(error instanceof Error ? error : undefined);
      }
    });
    body.once("error", reject);
    body.once("close", () => {
      clearTimeout(cutOff);
      resolve(undefined);
    });
  });
}

async function readWhole(body: Readable, allowance: Allowance): Promise<unknown[]> {
  const chunks: Uint8Array[] = [];
  await readUntil(body, allowance, (chunk) => void chunks.push(chunk));
  const message = parseMessage(
    Buffer.concat(chunks)
      .toString()
      .replace(/^\uFEFF/, ""),
  );
  return Array.isArray(message) ? message : [message];
}

/** Finds the answer among messages. Requests and notifications of the server go to the session. */
function takeAnswer(
  { id, remote, onNotice, takeQuestion }: RunningCall,
  messages: unknown[],
): Answer | undefined {
  let answer: Answer | undefined;
  for (const raw of messages) {
    const message = repairMessage(raw);
    if (!isRecord(message)) continue;
    const isAnswer = !("method" in message) && ("error" in message || "result" in message);
    // an error without an id is about the only message of the request
    const isOurs = message["id"] === id || (message["id"] === null && "error" in message);
    if (isAnswer && isOurs) answer = message;
    else if (isNotice(message)) onNotice(message);
    else if (takeQuestion(message)) continue;
    else if ("method" in message) remote.receive(message);
  }
  return answer;
}

/** Answers a question of the server, which confirms without a body. */
async function sendResponse(connection: ServerConnection, response: object): Promise<void> {
  const body = JSON.stringify(response);
  await sendMessage(connection, { method: "POST", body });
}

function refusal(error: unknown): { code: number; message: string } {
  const message = error instanceof ApiError ? error.message : "Nobody answered.";
  return { code: ErrorCode.InvalidRequest, message };
}

function isNotice(
  message: Record<string, unknown>,
): message is Record<string, unknown> & Notice {
  const { method, params } = message;
  const isOne = method === "notifications/progress" || method === "notifications/message";
  return isOne && isRecord(params);
}
