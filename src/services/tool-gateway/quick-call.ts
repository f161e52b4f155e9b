import {
  isCallToolResult,
  isJsonContentType,
  ProtocolErrorCode,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import { isRecord } from "../../platform/json/is-record.ts";
import { encodedEventStream } from "../../platform/http/stream.ts";
import { callForClient } from "./call-for-client.ts";
import type { McpRequest, McpServerDeps, RequestContext } from "./mcp-request.ts";
import { createRun } from "./mcp-run.ts";
import { MAX_ANSWER_BYTES } from "./tool-fetch.ts";

// Nearly all requests are calls of tools by clients of the older era. Answered here, a call costs a
// quarter of what it costs through the SDK, which builds a server for each request and answers by a
// stream. Whatever is not plainly such a call is left to the SDK, which knows all of the protocol.

/** A call that takes longer is answered by a stream, which shows that it goes on. */
const MAX_SILENCE_MS = 1_000;
/** What a tool server said that the client has not read: one answer may arrive all at once. */
const MAX_UNREAD_CHARACTERS = 2 * MAX_ANSWER_BYTES;
const READS_TOO_SLOWLY =
  "The client does not read what the tool server says meanwhile, so the call was cancelled. Read " +
  "the stream as it arrives, or call without a progress token.";
/** What both eras keep for themselves in `_meta`. */
const RESERVED = "io.modelcontextprotocol/";

interface QuickCall {
  id: string | number;
  name: string;
  args: Record<string, unknown>;
  meta: RequestContext["mcpReq"]["_meta"];
}

/**
 * The answer to a plain call of a tool, or a stream that ends with it. Undefined for any other
 * request, which is untouched.
 */
export async function answerQuickly(
  deps: McpServerDeps,
  mcp: McpRequest,
  body: unknown,
): Promise<{ message: object } | { stream: Response } | undefined> {
  const call = acceptsBoth(mcp.request) ? callIn(body) : undefined;
  if (!call) return undefined;
  const { id, name, args, meta } = call;
  const reply = new Reply(id);
  const context: RequestContext = {
    mcpReq: {
      id,
      method: "tools/call",
      signal: reply.givenUp,
      _meta: meta,
      notify: async (notice) => reply.send({ jsonrpc: "2.0", ...notice }),
      requestState: () => undefined,
    },
  };
  const client = {
    send: async (question: object) => reply.send(question),
    close: () => reply.end(),
  };
  const run = createRun(deps, mcp, "legacy", () => client);
  void callForClient(deps, mcp, { name, args, context, era: "legacy", run }).then(
    (result) => reply.answer(toAnswer(id, result)),
    (error: unknown) => reply.answer(toFailure(id, error)),
  );
  await reply.begun();
  const only = reply.takeOnly();
  if (only) return { message: only };
  // the client calls again
  return { stream: encodedEventStream(reply.batches(), () => "") };
}

/** Source: Model Context Protocol, streamable HTTP. */
function acceptsBoth({ headers }: Request): boolean {
  const accepted = headers.get("accept") ?? "";
  const version = headers.get("mcp-protocol-version");
  return (
    accepted.includes("application/json") &&
    accepted.includes("text/event-stream") &&
    isJsonContentType(headers.get("content-type")) &&
    (version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) &&
    // of the newer era
    !headers.has("mcp-method") &&
    !headers.has("mcp-name")
  );
}

function callIn(body: unknown): QuickCall | undefined {
  if (!isRecord(body) || !hasOnly(body, ["jsonrpc", "id", "method", "params"]))
    return undefined;
  const { jsonrpc, id, method, params } = body;
  if (jsonrpc !== "2.0" || method !== "tools/call" || !isId(id)) return undefined;
  if (!isRecord(params) || !hasOnly(params, ["name", "arguments", "_meta"]))
    return undefined;
  const { name, arguments: args = {}, _meta: meta } = params;
  if (typeof name !== "string" || !isRecord(args)) return undefined;
  if (meta !== undefined && !isPlainMeta(meta)) return undefined;
  return { id, name, args, meta };
}

function isPlainMeta(meta: unknown): meta is NonNullable<QuickCall["meta"]> {
  if (!isRecord(meta)) return false;
  const { progressToken: token } = meta;
  return (
    (token === undefined || isId(token)) &&
    !Object.keys(meta).some((key) => key.startsWith(RESERVED))
  );
}

function isId(value: unknown): value is string | number {
  return typeof value === "string" || Number.isSafeInteger(value);
}

function hasOnly(value: Record<string, unknown>, keys: readonly string[]): boolean {
  return Object.keys(value).every((key) => keys.includes(key));
}

function toAnswer(id: string | number, result: unknown): object {
  if (isCallToolResult(result)) return { jsonrpc: "2.0", id, result };
  const message = "Invalid tools/call result: it does not have the form of the protocol.";
  const code = ProtocolErrorCode.InvalidParams;
  return { jsonrpc: "2.0", id, error: { code, message } };
}

/** As the SDK answers what a handler throws. */
function toFailure(id: string | number, error: unknown): object {
  const { code, message, data } = (error instanceof Error ? error : {}) as {
    code?: unknown;
    message?: string;
    data?: unknown;
  };
  return {
    jsonrpc: "2.0",
    id,
    error: {
      code: Number.isSafeInteger(code) ? code : ProtocolErrorCode.InternalError,
      message: message ?? "Internal error",
      ...(data !== undefined && { data }),
    },
  };
}

/** What a client gets to one request: the answer alone, or messages and then the answer. */
class Reply {
  readonly #giveUp = new AbortController();
  readonly #id: QuickCall["id"];
  /** Encoded, as they wait for the client to read. */
  #unread: string[] = [];
  #unreadCharacters = 0;
  #answer: object | undefined;
  #isOver = false;
  #needsStream = false;
  #wake = () => {};

  constructor(id: QuickCall["id"]) {
    this.#id = id;
  }

  /** Aborts where the client reads too slowly for the call to go on. */
  get givenUp(): AbortSignal {
    return this.#giveUp.signal;
  }

  send(message: object): void {
    if (this.#isOver) return;
    const text = encode(message);
    this.#needsStream = true;
    if (this.#unreadCharacters + text.length > MAX_UNREAD_CHARACTERS) {
      this.#unread = [];
      this.answer(toFailure(this.#id, new Error(READS_TOO_SLOWLY)));
      this.#giveUp.abort();
      return;
    }
    this.#unread.push(text);
    this.#unreadCharacters += text.length;
    this.#wake();
  }

  answer(message: object): void {
    if (this.#isOver) return;
    this.#answer = message;
    this.end();
  }

  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** Resolves with the first message, or after a while. */
  begun(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, MAX_SILENCE_MS);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (this.#isOver || this.#unread.length > 0) this.#wake();
    });
  }

  /** The answer, where it is all that there is to send. */
  takeOnly(): object | undefined {
    return this.#needsStream ? undefined : this.#answer;
  }

  async *batches(): AsyncGenerator<string[]> {
    for (;;) {
      const ready = this.#unread.splice(0);
      this.#unreadCharacters = 0;
      if (ready.length > 0) yield ready;
      else if (this.#isOver) break;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    if (this.#answer) yield [encode(this.#answer)];
  }
}

function encode(message: object): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}
