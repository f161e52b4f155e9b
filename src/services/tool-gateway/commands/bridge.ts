import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isRecord } from "../../../platform/json/is-record.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import { MAX_ANSWER_BYTES } from "../tool-fetch.ts";
import { type CommandProcess, startCommand } from "./command-process.ts";

type Start = (onMessage: (message: unknown) => void) => ReturnType<typeof startCommand>;

interface Session {
  id: string;
  name: string;
  process: CommandProcess;
  /** By the id of a request that runs: where its answer goes. */
  asked: Map<string, ServerResponse>;
  /** By the token of progress, which a request may name. */
  tokens: Map<string, ServerResponse>;
  /** Takes what belongs to no request. */
  stream: ServerResponse | undefined;
}

interface Options {
  /** How a command of this name is started; `undefined`: there is none. */
  find: (name: string) => Start | undefined;
  /** Processes at once, of all commands. */
  maxProcesses: number;
  log: Logger;
}

const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** What waits for a reader of our own that does not read. */
const MAX_UNREAD_BYTES = 2 * MAX_ANSWER_BYTES;
const SESSION = "mcp-session-id";
/** Why a program does not run, percent-encoded. */
export const FAILURE = "x-command-failure";
const INTERNAL_ERROR = -32_603;

/**
 * Speaks streamable HTTP of 2025-11-25 for programs that speak the protocol on their standard input
 * and output: a process for each session, so that all else in the gateway sees one kind of server.
 * Source: Model Context Protocol, transports.
 */
export class Bridge implements AsyncDisposable {
  readonly #options: Options;
  /** The one unused for longest first. */
  readonly #sessions = new Map<string, Session>();
  /** Processes that start now. */
  #starting = 0;
  /** By command: how it ended the last time. One that cannot run is started again and again. */
  readonly #endings = new Map<string, string>();

  constructor(options: Options) {
    this.#options = options;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const name = decodeURIComponent((request.url ?? "").slice(1));
    const { method } = request;
    const id = request.headers[SESSION];
    const session = typeof id === "string" ? this.#sessions.get(id) : undefined;
    if (id !== undefined && session?.name !== name)
      return refuse(response, 404, "There is no such session.");
    if (session) this.#touch(session);
    if (method === "POST") return this.#post(request, response, name, session);
    if (!session) return refuse(response, 405, "A session is needed.");
    if (method === "GET") return listen(session, response);
    if (method !== "DELETE") return refuse(response, 405, "Send POST, GET or DELETE.");
    this.#forget(session);
    response.writeHead(204).end();
    await session.process.end();
  }

  async #post(
    request: IncomingMessage,
    response: ServerResponse,
    name: string,
    known: Session | undefined,
  ): Promise<void> {
    const message = await readMessage(request);
    if (!message) return refuse(response, 400, "Send one message of JSON-RPC.");
    if (known) return answer(known, message, response);
    // one that asks for a version without sessions goes on with `initialize` then
    if (message["method"] !== "initialize")
      return refuse(response, 400, "Begin with initialize.");
    const start = this.#options.find(name);
    if (!start) return refuse(response, 404, "There is no such command.");
    if (!this.#makeRoom()) return refuse(response, 429, "Too many processes.");
    let session: Session;
    try {
      session = await this.#open(name, start);
    } catch (error) {
      return fail(response, error instanceof Error ? error.message : String(error));
    }
    // a process that nobody has got is nobody's
    response.once("close", () => {
      if (response.statusCode !== 200 || !response.writableFinished)
        void this.#end(session);
    });
    if (!this.#sessions.has(session.id))
      return fail(response, await session.process.exited);
    response.setHeader(SESSION, session.id);
    answer(session, message, response);
  }

  async #open(name: string, start: Start): Promise<Session> {
    this.#starting += 1;
    try {
      let session: Session | undefined;
      const process = await start((message) => session && route(session, message));
      session = {
        id: randomUUID(),
        name,
        process,
        asked: new Map(),
        tokens: new Map(),
        stream: undefined,
      };
      this.#sessions.set(session.id, session);
      const opened = session;
      void process.exited.then((how) => {
        const isUnexpected = this.#sessions.delete(opened.id);
        const said = process.said.trim();
        if (isUnexpected) this.#logEnding(name, how, said);
        for (const [id, waiting] of opened.asked)
          if (waiting.headersSent) finish(opened, id, waiting, ended(id, how));
          else fail(waiting, how);
        opened.stream?.end();
      });
      return session;
    } finally {
      this.#starting -= 1;
    }
  }

  #logEnding(command: string, how: string, said: string): void {
    const ending = `${how}\n${said}`;
    const level = this.#endings.get(command) === ending ? "debug" : "warn";
    this.#endings.set(command, ending);
    this.#options.log[level]({ command, how, said }, "the command of a tool server ended");
  }

  /** Ends the process that is unused for longest where there are too many. */
  #makeRoom(): boolean {
    if (this.#sessions.size + this.#starting < this.#options.maxProcesses) return true;
    for (const session of this.#sessions.values()) {
      if (session.asked.size > 0) continue;
      void this.#end(session);
      return true;
    }
    return false;
  }

  #touch(session: Session): void {
    this.#sessions.delete(session.id);
    this.#sessions.set(session.id, session);
  }

  #forget(session: Session): void {
    this.#sessions.delete(session.id);
    session.stream?.end();
  }

  async #end(session: Session): Promise<void> {
    this.#forget(session);
    await session.process.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => this.#end(session)));
  }
}

/** Sends a message to the program, and answers when it has. */
function answer(
  session: Session,
  message: Record<string, unknown>,
  response: ServerResponse,
): void {
  const { id, method, params } = message;
  const isRequest = typeof method === "string" && id !== undefined && id !== null;
  if (!session.process.send(message)) return refuse(response, 429, "It does not read.");
  if (!isRequest) return void response.writeHead(202).end();
  const key = keyOf(id);
  session.asked.set(key, response);
  const meta = isRecord(params) && isRecord(params["_meta"]) ? params["_meta"] : {};
  const token = meta["progressToken"];
  if (token !== undefined) session.tokens.set(keyOf(token), response);
  response.once("close", () => {
    session.asked.delete(key);
    if (token !== undefined) session.tokens.delete(keyOf(token));
  });
  // whether it starts is the status of its first answer
  if (method !== "initialize") beginEvents(response);
}

function beginEvents(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
}

/** What the program says goes to the request that it is about. */
function route(session: Session, message: unknown): void {
  if (!isRecord(message)) return;
  const { id, method, params } = message;
  const isAnswer = method === undefined && id !== undefined;
  if (isAnswer) {
    const key = keyOf(id);
    const waiting = session.asked.get(key);
    if (waiting) finish(session, key, waiting, message);
    return;
  }
  const named = isRecord(params) ? params["progressToken"] : undefined;
  const asked = named === undefined ? undefined : session.tokens.get(keyOf(named));
  // a question, or a line of a log, is about what runs: the newest, where nothing says more
  const isChange = id === undefined && /_changed$|updated$/.test(String(method));
  const newest = isChange ? undefined : [...session.asked.values()].at(-1);
  write(asked ?? newest ?? session.stream, message);
}

function listen(session: Session, response: ServerResponse): void {
  session.stream?.end();
  session.stream = response;
  response.once("close", () => {
    if (session.stream === response) session.stream = undefined;
  });
  beginEvents(response);
}

function finish(
  session: Session,
  key: string,
  waiting: ServerResponse,
  message: object,
): void {
  session.asked.delete(key);
  if (!waiting.headersSent) beginEvents(waiting);
  write(waiting, message);
  waiting.end();
}

function write(response: ServerResponse | undefined, message: object): void {
  // before its answer, the first request has no stream yet
  if (!response?.headersSent) return;
  if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
  else response.write(`data: ${JSON.stringify(message)}\n\n`);
}

function ended(key: string, how: string): object {
  const message = `Its process ended before it answered (${how}).`;
  const error = { code: INTERNAL_ERROR, message };
  return { jsonrpc: "2.0", id: JSON.parse(key) as unknown, error };
}

/** Ids may be numbers or texts, which are different. */
const keyOf = (id: unknown): string => JSON.stringify(id);

async function readMessage(
  request: IncomingMessage,
): Promise<Record<string, unknown> | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  try {
    const message: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    return isRecord(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

/** Says in a header why the program does not run: the body is for other errors. */
function fail(response: ServerResponse, why: string): void {
  response.writeHead(500, { [FAILURE]: encodeURIComponent(why.slice(0, 500)) }).end();
}

function refuse(response: ServerResponse, status: number, why: string): void {
  response.writeHead(status, { "content-type": "text/plain" }).end(why);
}
