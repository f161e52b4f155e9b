import { STATUS_CODES, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { ApiError, BadRequest, RequestTimeout } from "./errors.ts";
import { addStandardHeaders, errorResponse } from "./respond.ts";
import { newTrace } from "./trace.ts";

/** How long a client may still send after it got its answer. */
const LINGER_MS = 2_000;

/** Answers what cannot be read as an HTTP request, as every other refusal. */
export function answerUnreadable(server: Server): void {
  const responses = new WeakMap<Socket, ServerResponse>();
  server.on("request", (incoming, response) => responses.set(incoming.socket, response));
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (!socket.writable || error.code === "ECONNRESET" || isOwed(responses.get(socket)))
      socket.destroy();
    else answer(socket, refusalOf(error));
  });
}

/** Whether another answer would be taken for this one, or break it. */
function isOwed(response?: ServerResponse): boolean {
  if (!response || response.writableFinished) return false;
  return response.headersSent || response.req.complete;
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
