import { STATUS_CODES, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { RequestError } from "@hono/node-server";
import { ApiError, BadRequest, RequestTimeout } from "./errors.ts";
import { addStandardHeaders, errorResponse } from "./respond.ts";
import { newTrace } from "./trace.ts";

/** How long a client may still send after it got its answer. */
const LINGER_MS = 2_000;

/** Answers what cannot be read as an HTTP request, as every other refusal. */
export function answerUnreadable(server: Server): void {
  const exchanges = new WeakMap<Socket, Exchanges>();
  server.on("request", ({ socket }, response) => {
    const open = exchanges.get(socket)?.open ?? new Set();
    exchanges.set(socket, { open: open.add(response), last: response });
    response.once("close", () => open.delete(response));
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    const isClosed = !socket.writable || error.code === "ECONNRESET";
    if (isClosed || !mayAnswer(exchanges.get(socket))) socket.destroy();
    else answer(socket, refusalOf(error));
  });
  // Node.js closes the connection of a CONNECT without an answer, and leaves it to this listener
  server.on("connect", (_, duplex: Duplex) => {
    const socket = duplex as Socket; // as the documentation of the event says
    socket.on("error", () => {});
    if (mayAnswer(exchanges.get(socket))) answer(socket, noProxy());
    else socket.destroy();
  });
}

/** Answers a request from which no URL can be read, or whose answer failed. */
export function answerFailedRequest(error: unknown): Response {
  const isUnreadable = error instanceof RequestError;
  const trace = newTrace();
  const failure = isUnreadable ? targetUnreadable() : error;
  const response = addStandardHeaders(errorResponse(failure, trace.requestId), trace);
  if (isUnreadable) response.headers.set("connection", "close");
  return response;
}

function targetUnreadable(): ApiError {
  return new BadRequest(
    "target_unreadable",
    "No URL can be read from the path and the Host header. Send a path that begins with /, and " +
      "the name of this server as Host.",
  );
}

function noProxy(): ApiError {
  return new ApiError(
    501,
    "connect_unsupported",
    "This server is no proxy. Send it a request for one of its paths; GET /docs lists them.",
  );
}

/** The requests of a connection, which may send the next ones before it has the first answer. */
interface Exchanges {
  /** The responses that are not complete. */
  open: Set<ServerResponse>;
  last: ServerResponse;
}

/** Whether nobody would take the answer for one to an earlier request, or for a second one. */
function mayAnswer(exchanges?: Exchanges): boolean {
  if (!exchanges) return true;
  const { open, last } = exchanges;
  // what cannot be read is either what follows the last request, or the body of that request
  return last.req.complete ? open.size === 0 : open.size === 1 && !last.headersSent;
}

function refusalOf({ code }: NodeJS.ErrnoException): ApiError {
  if (code === "HPE_HEADER_OVERFLOW")
    return new ApiError(
      431,
      "headers_too_large",
      "The URL and the headers are longer than 32 KB. Send less in them.",
    );
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return new RequestTimeout(
      "headers_too_slow",
      "The headers did not arrive in time. Send the request again.",
    );
  return new BadRequest(
    "request_unreadable",
    "This is not an HTTP request. Check what the client sends.",
  );
}

/** Reads on for a while: a connection with unread bytes is reset, and its answer lost. */
function answer(socket: Socket, refusal: ApiError): void {
  socket.removeAllListeners("data"); // the parser's, which would fail at each further chunk
  socket.on("data", () => {});
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
  const trace = newTrace();
  const response = addStandardHeaders(errorResponse(refusal, trace.requestId), trace);
  const { status, headers, whole: body } = response;
  headers.set("connection", "close");
  headers.set("content-length", String(Buffer.byteLength(body)));
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}\r\n${body}`);
}
