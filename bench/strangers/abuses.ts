import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { setTimeout as sleep } from "node:timers/promises";

/** What somebody without an account does to a connection. */
export interface Abuse {
  name: string;
  /** How many do it at once. */
  at: number;
  /** Does it once; it is repeated until the time is over. */
  run(target: Target): Promise<void>;
}

export interface Target {
  port: number;
  signal: AbortSignal;
}

/** How long a connection is held before its next opening. */
const HOLD_MS = 15_000;

/** An abuse of one connection, which is closed at its end. */
function abuse(
  name: string,
  at: number,
  use: (socket: Socket, signal: AbortSignal) => Promise<void>,
): Abuse {
  return {
    name,
    at,
    async run({ port, signal }) {
      const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
      // what the server does to a stranger's connection is no failure of this program
      socket.on("error", () => {});
      const stop = () => socket.destroy();
      signal.addEventListener("abort", stop);
      try {
        await Promise.race([
          new Promise((resolve) => socket.once("connect", resolve)),
          new Promise((resolve) => socket.once("close", resolve)),
        ]);
        if (!socket.destroyed) await use(socket, signal);
      } finally {
        signal.removeEventListener("abort", stop);
        socket.destroy();
      }
    },
  };
}

async function hold(socket: Socket, signal: AbortSignal, ms = HOLD_MS): Promise<void> {
  const over = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
  await new Promise<void>((resolve) => {
    if (socket.destroyed || over.aborted) return resolve();
    socket.once("close", () => resolve());
    over.addEventListener("abort", () => resolve(), { once: true });
  });
}

const pause = (ms: number, signal: AbortSignal) =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => {});

type Bytes = () => string | Buffer;

/** Sends and never reads. */
const unread = (name: string, at: number, bytes: Bytes) =>
  abuse(name, at, async (socket, signal) => {
    socket.pause();
    socket.write(bytes());
    await hold(socket, signal);
  });

/** Sends, reads what comes, and leaves when the server has closed or after a while. */
const sent = (name: string, at: number, bytes: Bytes, ms = 2_000) =>
  abuse(name, at, async (socket, signal) => {
    socket.resume();
    socket.once("end", () => socket.destroy());
    socket.write(bytes());
    await hold(socket, signal, ms);
    await pause(200, signal);
  });

/** Sends and resets the connection at once. */
const reset = (name: string, at: number, bytes: Bytes) =>
  abuse(name, at, async (socket, signal) => {
    socket.write(bytes());
    await pause(20, signal);
    socket.resetAndDestroy();
    await pause(200, signal);
  });

/** Does something each second, as long as the connection is open. */
async function eachSecond(
  socket: Socket,
  signal: AbortSignal,
  work: () => void,
): Promise<void> {
  while (!socket.destroyed && !signal.aborted) {
    await pause(1_000, signal);
    if (!socket.destroyed) work();
  }
}

/** Sends a beginning, then a piece each second. */
const dripped = (name: string, at: number, begin: string, piece: string) =>
  abuse(name, at, async (socket, signal) => {
    socket.resume();
    socket.write(begin);
    await eachSecond(socket, signal, () => socket.write(piece));
  });

/** Asks, and takes a few bytes a second. */
const slowlyRead = (name: string, at: number, request: string) =>
  abuse(name, at, async (socket, signal) => {
    socket.pause();
    socket.write(request);
    await eachSecond(socket, signal, () => socket.read(16));
  });

const lines = (...all: string[]) => `${all.join("\r\n")}\r\n\r\n`;
const get = (path: string, ...headers: string[]) =>
  lines(`GET ${path} HTTP/1.1`, "Host: localhost", ...headers);
const post = (path: string, body: string | Buffer, ...headers: string[]) =>
  Buffer.concat([
    Buffer.from(
      lines(
        `POST ${path} HTTP/1.1`,
        "Host: localhost",
        "Content-Type: application/json",
        `Content-Length: ${Buffer.byteLength(body)}`,
        ...headers,
      ),
    ),
    Buffer.from(body),
  ]);
const login = (password: string) =>
  JSON.stringify({ email: `a${Math.random()}@example.com`, password });
const LOGIN = "/api/v1/auth/login";
const BEGUN = lines(
  `POST ${LOGIN} HTTP/1.1`,
  "Host: localhost",
  "Content-Type: application/json",
  "Content-Length: 900000",
);
const TLS_HELLO = Buffer.from(
  "16030100c8010000c40303b3c1a5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f7081",
  "hex",
);
const noise = () => randomBytes(4_096);
const repeated = (text: string, times: number) => text.repeat(times);

/** More than fifty ways, of which each is done by several strangers at once. */
export const ABUSES: readonly Abuse[] = [
  unread("pipelined pages, never read", 8, () => repeated(get("/docs"), 200)),
  unread("pipelined document of the API, never read", 8, () =>
    repeated(get("/openapi.json"), 200),
  ),
  unread("the same, compressed", 8, () =>
    repeated(get("/openapi.json", "Accept-Encoding: br"), 200),
  ),
  unread("pipelined refusals, never read", 8, () => repeated(get("/api/v1/agents"), 500)),
  unread("idle connections", 10_000, () => ""),
  unread("the first line alone", 50, () => "GET / HTTP/1.1\r\n"),
  unread("no end of the headers", 50, () => "GET / HTTP/1.1\r\nHost: a\r\nX: b"),
  unread("a body that was announced and never comes", 50, () => BEGUN),
  unread("an expected 100-continue that is not used", 20, () =>
    BEGUN.replace("\r\n\r\n", "\r\nExpect: 100-continue\r\n\r\n"),
  ),
  unread("TLS to a port without it", 20, () => TLS_HELLO),
  unread("the preface of HTTP/2", 20, () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  slowlyRead("the app's page, read byte by byte", 20, get("/")),
  slowlyRead("the document of the API, read byte by byte", 20, get("/openapi.json")),
  slowlyRead("pages in line, read byte by byte", 20, repeated(get("/docs"), 20)),
  dripped("headers, one a second", 50, "GET / HTTP/1.1\r\nHost: a\r\n", "X-A: b\r\n"),
  dripped("letters of a header", 50, "GET / HTTP/1.1\r\nX: ", "a"),
  dripped("a body, letter by letter", 50, BEGUN, "{"),
  dripped(
    "chunks of one letter",
    50,
    `POST ${LOGIN} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    "1\r\n[\r\n",
  ),
  dripped("a request a second", 50, get("/healthz"), get("/healthz")),
  reset("reset after the connection", 10, () => ""),
  reset("reset within the headers", 10, () => "GET / HTTP/1.1\r\n"),
  reset("reset within a body", 10, () => BEGUN + "x".repeat(5_000)),
  reset("reset before the answer", 10, () => repeated(get("/openapi.json"), 20)),
  reset("half a TLS greeting, and reset", 10, () => TLS_HELLO.subarray(0, 20)),
  sent("an end without a request", 10, () => "", 50),
  sent("a header of 64 KB", 5, () => get("/", `X: ${"a".repeat(65_536)}`)),
  sent("2,000 headers", 5, () =>
    get("/", ...Array.from({ length: 2_000 }, (_, n) => `X${n}: 1`)),
  ),
  sent("a path of 60 KB", 5, () => get(`/${"a/".repeat(30_000)}`)),
  sent("a cookie of 30 KB", 5, () =>
    get("/api/v1/agents", `Cookie: s=${"a".repeat(30_000)}`),
  ),
  sent("a token of 30 KB", 5, () =>
    get("/api/v1/agents", `Authorization: Bearer ${"a".repeat(30_000)}`),
  ),
  sent("noise", 10, noise),
  sent("noise after a request", 10, () => Buffer.concat([Buffer.from(get("/")), noise()])),
  sent("CONNECT", 5, () => lines("CONNECT a:1 HTTP/1.1", "Host: a:1")),
  sent("OPTIONS *", 5, () => lines("OPTIONS * HTTP/1.1", "Host: a")),
  sent("no Host", 5, () => lines("GET / HTTP/1.1")),
  sent("HTTP/0.9", 5, () => "GET /\r\n\r\n"),
  sent("HTTP/1.0, kept alive", 5, () => lines("GET / HTTP/1.0", "Connection: keep-alive")),
  sent("an upgrade to a web socket", 5, () =>
    get("/", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Key: eA=="),
  ),
  sent("an upgrade to HTTP/2", 5, () =>
    get("/", "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AA"),
  ),
  sent("two lengths", 5, () => get("/", "Content-Length: 1", "Content-Length: 2")),
  sent(
    "a length and chunks",
    5,
    () =>
      get("/", "Content-Length: 3", "Transfer-Encoding: chunked") +
      "0\r\n\r\nGET / HTTP/1.1\r\n\r\n",
  ),
  sent("a length below zero", 5, () => get("/", "Content-Length: -5")),
  sent(
    "a chunk of an impossible size",
    5,
    () => get("/", "Transfer-Encoding: chunked") + "fffffffffffff\r\na",
  ),
  sent(
    "a wrong size of a chunk",
    5,
    () => get("/", "Transfer-Encoding: chunked") + "zz\r\na\r\n",
  ),
  sent(
    "trailers without end",
    5,
    () => get("/", "Transfer-Encoding: chunked") + "0\r\n" + "A: b\r\n".repeat(5_000),
  ),
  sent("NUL and escapes in a path", 5, () => get("/%00%ff%2e%2e/\u0000")),
  sent("a thousand ranges", 5, () =>
    get(
      "/",
      `Range: bytes=${Array.from({ length: 1_000 }, (_, n) => `${n}-${n}`).join(",")}`,
    ),
  ),
  sent("JSON that is nested 100,000 times", 5, () => post(LOGIN, "[".repeat(100_000))),
  sent("JSON with 200,000 values", 5, () => post(LOGIN, `[${"1,".repeat(200_000)}1]`)),
  sent("compressed zeros", 5, () =>
    post(LOGIN, gzipSync(Buffer.alloc(20_000_000)), "Content-Encoding: gzip"),
  ),
  sent("wrong passwords", 4, () => post(LOGIN, login("wrong password"))),
  sent("a password of 900 KB", 4, () => post(LOGIN, login("x".repeat(900_000)))),
  sent("a form without end", 5, () =>
    post("/api/v1/documents", `--x\r\n${"a: b\r\n".repeat(20_000)}`)
      .toString()
      .replace("application/json", "multipart/form-data; boundary=x"),
  ),
  sent("events without a token", 5, () =>
    get("/api/v1/events", "Accept: text/event-stream"),
  ),
];
