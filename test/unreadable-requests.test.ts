import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startTestServer, type TestServer } from "./support/server.ts";

let parlance: TestServer;
beforeAll(async () => {
  parlance = await startTestServer();
});
afterAll(() => parlance[Symbol.asyncDispose]());

/** Sends bytes on a connection of its own. @returns the answer and whether it ended in order. */
async function send(bytes: string, base = parlance.url) {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  let answer = "";
  socket.on("data", (chunk: Buffer) => (answer += chunk.toString()));
  let error: string | undefined;
  socket.on("error", (failure: NodeJS.ErrnoException) => (error = failure.code));
  socket.write(bytes);
  await once(socket, "close");
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  return { head, body, error, whole: answer };
}

const LINES = "host: localhost\r\n\r\n";

test.each([
  ["a URL of 40 KB", `GET /${"x".repeat(40_000)} HTTP/1.1\r\n${LINES}`, 431],
  [
    "a URL of 8 MB, which arrives after the answer",
    `GET /${"x".repeat(8_000_000)} HTTP/1.1\r\n${LINES}`,
    431,
  ],
  ["a header of 8 MB", `GET / HTTP/1.1\r\na: ${"x".repeat(8_000_000)}\r\n${LINES}`, 431],
  ["what is not HTTP", `hello\r\n${"x".repeat(1_000_000)}`, 400],
  ["headers that never end", "GET / HTTP/1.1\r\nhost: local", 408],
])("%s is refused as any other request", async (_, bytes, status) => {
  const codes = {
    431: "headers_too_large",
    400: "request_unreadable",
    408: "headers_too_slow",
  };
  const { head, body, error } = await send(bytes);
  expect(error).toBeUndefined();
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toContain("x-content-type-options: nosniff");
  expect(head).toContain("connection: close");
  const { code, requestId } = JSON.parse(body) as { code: string; requestId: string };
  expect(code).toBe(codes[status as keyof typeof codes]);
  expect(head).toContain(`x-request-id: ${requestId}`);
});

const CONFIG = "/api/v1/services-config/models-providers"; // open on INTERNAL_PORT
const EXPECT = "expect: magic\r\ncontent-length: 3\r\n";

describe.each(["PORT", "INTERNAL_PORT"])("on %s", (name) => {
  test.each([
    ["a target without a path", `OPTIONS * HTTP/1.1\r\n${LINES}`, 400, "target_unreadable"],
    ["a backslash in a path", `GET /a\\b HTTP/1.1\r\n${LINES}`, 400, "target_unreadable"],
    [
      "a host that is none",
      `GET ${CONFIG} HTTP/1.1\r\nhost: a b\r\n\r\n`,
      400,
      "target_unreadable",
    ],
    ["no host", `GET ${CONFIG} HTTP/1.1\r\n\r\n`, 400, "host_missing"],
    [
      "no host beside a whole URL",
      `GET http://localhost${CONFIG} HTTP/1.1\r\n\r\n`,
      400,
      "host_missing",
    ],
    [
      "no host, and a body that waits for 100 Continue",
      `POST ${CONFIG} HTTP/1.1\r\nexpect: 100-continue\r\ncontent-length: 3\r\n\r\n`,
      400,
      "host_missing",
    ],
    [
      "an expectation that cannot be met",
      `POST ${CONFIG} HTTP/1.1\r\n${EXPECT}${LINES}abc`,
      417,
      "expectation_unmet",
    ],
    [
      "the same without its body",
      `POST ${CONFIG} HTTP/1.1\r\n${EXPECT}${LINES}`,
      417,
      "expectation_unmet",
    ],
    ["CONNECT", `CONNECT a.example:80 HTTP/1.1\r\n${LINES}`, 501, "connect_unsupported"],
  ])("%s is refused as any other request", async (_, bytes, status, code) => {
    const base = name === "PORT" ? parlance.url : parlance.internalUrl;
    const answer = await send(bytes, base);
    expect(answer.error).toBeUndefined();
    const refusal = answer.whole.replace("HTTP/1.1 100 Continue\r\n\r\n", "");
    const [head = "", body = ""] = refusal.split("\r\n\r\n");
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toContain("x-content-type-options: nosniff");
    expect(head.toLowerCase()).toContain("connection: close");
    expect(JSON.parse(body)).toMatchObject({ code, error: expect.stringMatching(/\.$/) });
  });
});

test("INTERNAL_PORT answers to its own names alone, without a Host header, too", async () => {
  const asked = { "HTTP/1.1": "400", "HTTP/1.0": "421" };
  for (const [version, status] of Object.entries(asked)) {
    const { head } = await send(`GET ${CONFIG} ${version}\r\n\r\n`, parlance.internalUrl);
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  }
});

test("a refused CONNECT takes no answer of a request before it", async () => {
  const credentials = JSON.stringify({ email: "x@test.example", password: "wrong" });
  const first = `${LOGIN}content-length: ${credentials.length}\r\n${LINES}${credentials}`;
  const { whole } = await send(`${first}CONNECT a.example:80 HTTP/1.1\r\n${LINES}`);
  expect(whole).not.toContain("connect_unsupported");
});

test("a body that breaks off its own encoding is refused", async () => {
  const chunked = "transfer-encoding: chunked\r\ncontent-type: application/json\r\n";
  const path = "/api/v1/auth/login";
  const { head } = await send(`POST ${path} HTTP/1.1\r\n${chunked}${LINES}no chunk\r\n`);
  expect(head).toMatch(/^HTTP\/1.1 400 /);
});

const LOGIN = `POST /api/v1/auth/login HTTP/1.1\r\ncontent-type: application/json\r\n`;
const CHUNKED = `transfer-encoding: chunked\r\n${LINES}`;

test("no request that is still being answered gets the refusal of the next one", async () => {
  const credentials = JSON.stringify({ email: "x@test.example", password: "wrong" });
  const first = `${LOGIN}content-length: ${credentials.length}\r\n${LINES}${credentials}`;
  for (const next of [`${LOGIN}${CHUNKED}no chunk\r\n`, "hello\r\n\r\n"]) {
    const { head, body } = await send(first + next);
    expect(head + body).not.toContain("request_unreadable");
  }
});

test.each([
  ["with its answer", `GET /healthz HTTP/1.1\r\n${CHUNKED}`, "200"],
  ["with its refusal", `POST /api/v1/agent HTTP/1.1\r\n${CHUNKED}`, "401"],
])(
  "a request gets no second answer %s when its body breaks off",
  async (_, head, status) => {
    const { hostname, port } = new URL(parlance.url);
    const socket = connect(Number(port), hostname);
    let answer = "";
    socket.on("data", (chunk: Buffer) => (answer += chunk.toString()));
    socket.on("error", () => {});
    socket.write(head);
    await vi.waitFor(() => expect(answer).toContain(`HTTP/1.1 ${status} `), 90_000);
    socket.write("no chunk\r\n");
    await once(socket, "close");
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
  },
);

test("no answer to a request is one to what follows it on its connection", async () => {
  const { head, body } = await send(`GET /healthz HTTP/1.1\r\n${LINES}hello\r\n\r\n`);
  expect(head + body).not.toContain("request_unreadable");
});
