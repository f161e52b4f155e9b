import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openOutgoing } from "../../platform/outgoing/open-outgoing.ts";
import type { Outgoing } from "../../platform/outgoing/outgoing.ts";
import { askServer } from "./call-tool.ts";
import { connect } from "./connect.ts";
import { ToolServer } from "./contract.ts";
import { MessageReader } from "./read-messages.ts";
import { toolFetch } from "./tool-fetch.ts";
import { toResult } from "./tool-result.ts";

/** Servers that answer in every way that the protocol permits, and in some that it does not. */
let outgoing: Outgoing;
beforeAll(() => (outgoing = openOutgoing({ allow: ["127.0.0.0/8"], own: () => [] })));
afterAll(() => outgoing[Symbol.asyncDispose]());

type Message = {
  id?: unknown;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
};
type Answering = (
  call: Message,
  response: ServerResponse,
  request: IncomingMessage,
) => void;

/** A server that does the handshake. The test defines how it handles calls and other messages. */
async function server(
  onCall: Answering,
  onOther: Answering = (_, response) => void response.writeHead(405).end(),
) {
  const seen: { message: Message; request: IncomingMessage }[] = [];
  const http = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const message = (body === "" ? {} : JSON.parse(body)) as Message;
    seen.push({ message, request });
    const json = (result: object) =>
      response
        .writeHead(200, { "content-type": "application/json", "mcp-session-id": "s1" })
        .end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result }));
    if (message.method === "initialize")
      return void json({
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "t", version: "1" },
      });
    if (message.method === "tools/call") return onCall(message, response, request);
    if (message.method || message.result) return void response.writeHead(202).end();
    return onOther(message, response, request);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`; // a TCP server has one
  const entry = ToolServer.parse({ name: "one", url, headers: { "x-key": "k" } });
  const remote = await connect(
    entry,
    outgoing,
    { onToolsChanged() {}, onError() {} },
    new AbortController().signal,
  );
  return {
    seen,
    remote,
    call: (
      signal = new AbortController().signal,
      timeoutMs = 5_000,
      more: { progressMs?: number } = {},
    ) =>
      askServer(
        { remote, server: entry, outgoing, timeoutMs, silenceMs: timeoutMs, ...more },
        { method: "tools/call", params: { name: "add", arguments: { a: 1 } } },
        signal,
      ).then(toResult),
    async [Symbol.asyncDispose]() {
      await remote.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
const RESULT = { content: [{ type: "text", text: "3" }] };
const answer = (id: unknown, result: object = RESULT) => ({ jsonrpc: "2.0", id, result });
const event = (message: object) => `data: ${JSON.stringify(message)}\n\n`;
const json = (response: ServerResponse, body: unknown) =>
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
const stream = (response: ServerResponse) =>
  response.writeHead(200, { "content-type": "text/event-stream" });

test("a question in the stream of a call that nobody can answer is refused, not asked of another user", async () => {
  let finish = () => {};
  await using one = await server(
    ({ id }, response) => {
      const question = {
        jsonrpc: "2.0",
        id: "q",
        method: "elicitation/create",
        params: {},
      };
      stream(response).write(event(question));
      finish = () => void response.end(event(answer(id)));
    },
    (_, response) => {
      response.writeHead(202).end();
      finish();
    },
  );
  const ofAnother = vi.fn(async () => ({ result: { action: "accept", content: {} } }));
  one.remote.answering(ofAnother);
  expect(await one.call()).toEqual(RESULT);
  expect(ofAnother).not.toHaveBeenCalled();
  const refused = one.seen.find(({ message }) => message.id === "q");
  expect(refused?.message).toMatchObject({ error: { message: "Nobody answered." } });
});

test("a call carries the session, the version and the operator's headers", async () => {
  await using one = await server(({ id }, response) => json(response, answer(id)));
  expect(await one.call()).toEqual(RESULT);
  const call = one.seen.find(({ message }) => message.method === "tools/call");
  expect(call?.message).toMatchObject({
    jsonrpc: "2.0",
    params: { name: "add", arguments: { a: 1 } },
  });
  expect(call?.request.headers).toMatchObject({
    "mcp-session-id": "s1",
    "mcp-protocol-version": "2025-06-18",
    "x-key": "k",
    accept: "application/json, text/event-stream",
  });
});

test.each<[string, Answering]>([
  [
    "as one of a batch",
    ({ id }, response) => json(response, [answer("other", {}), answer(id)]),
  ],
  [
    "as an event after notifications and others' answers",
    ({ id }, response) => {
      stream(response).end(
        `: hello\n\n${event({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: 1, progress: 1 } })}${event(answer(1, {}))}event: message\n${event(answer(id))}`,
      );
    },
  ],
  [
    "as an event whose stream stays open",
    ({ id }, response) => void stream(response).write(event(answer(id))),
  ],
  [
    "with line ends of Windows",
    ({ id }, response) =>
      void stream(response).end(event(answer(id)).replaceAll("\n", "\r\n")),
  ],
])("an answer %s is understood", async (_, onCall) => {
  await using one = await server(onCall);
  expect(await one.call()).toEqual(RESULT);
});

test("answers a request of the server within the stream", async () => {
  const pinged = Promise.withResolvers<ServerResponse>();
  let call: Message = {};
  await using one = await server((message, response) => {
    call = message;
    stream(response).write(event({ jsonrpc: "2.0", id: "ping-1", method: "ping" }));
    pinged.resolve(response);
  });
  const calling = one.call();
  const response = await pinged.promise;
  await expect
    .poll(() => one.seen.some(({ message }) => message.id === "ping-1" && message.result))
    .toBe(true);
  response.end(event(answer(call.id)));
  expect(await calling).toEqual(RESULT);
});

test("resumes a stream that the server ends early", async () => {
  let call: Message = {};
  await using one = await server(
    (message, response) => {
      call = message;
      stream(response).end("id: e1\nretry: 1\ndata:\n\n");
    },
    (_, response, request) => {
      if (request.headers["last-event-id"] !== "e1")
        return void response.writeHead(405).end();
      stream(response).end(`id: e2\n${event(answer(call.id))}`);
    },
  );
  expect(await one.call()).toEqual(RESULT);
});

test.each([-32000, -32001, -32601, -32603, 1, 404])(
  "an error of the server, code %i, is the tool's own result",
  async (code) => {
    const error = { code, message: "The city is unknown." };
    await using one = await server(({ id }, response) =>
      json(response, { jsonrpc: "2.0", id, error }),
    );
    const content = [{ type: "text", text: "The city is unknown." }];
    expect(await one.call()).toEqual({ content, isError: true });
  },
);

test.each<[string, Answering, object]>([
  [
    "wrong arguments",
    ({ id }, response) =>
      json(response, { jsonrpc: "2.0", id, error: { code: -32602, message: "no" } }),
    { code: -32602 },
  ],
  [
    "what is no result",
    ({ id }, response) => json(response, answer(id, { content: "x" })),
    { code: "tool_failed" },
  ],
  [
    "what is no answer",
    (_, response) => json(response, "hello"),
    { message: "the answer was cut" },
  ],
  [
    "what is not JSON",
    (_, response) =>
      void response.writeHead(200, { "content-type": "application/json" }).end("{"),
    { name: "SyntaxError" },
  ],
  [
    "a page",
    (_, response) =>
      void response.writeHead(200, { "content-type": "text/html" }).end("<p>"),
    { code: -1 },
  ],
  [
    "a redirect",
    (_, response) => void response.writeHead(302, { location: "http://127.0.0.1:1" }).end(),
    { code: 302 },
  ],
  [
    "a status and endless words",
    (_, response) => void response.writeHead(500).write("x".repeat(100_000)),
    { code: 500 },
  ],
  [
    "a stream cut off",
    (_, response) => void stream(response).end("data: {"),
    { message: "the answer was cut" },
  ],
  ["a connection cut off", (_, response) => void response.destroy(), {}],
  [
    "a stream without end",
    (_, response) => void stream(response).write("x".repeat(5_000_000)),
    { code: "tool_result_too_large" },
  ],
])("%s ends the call with its error", async (_, onCall, error) => {
  await using one = await server(onCall);
  await expect(one.call()).rejects.toMatchObject(error);
});

test.each(["a caller that leaves", "a time that is over"])(
  "%s cancels the call by word and by hanging up",
  async (how) => {
    const hungUp = Promise.withResolvers<void>();
    const called = Promise.withResolvers<void>();
    await using one = await server((_, response) => {
      response.on("close", () => hungUp.resolve());
      called.resolve();
    });
    const leaving = new AbortController();
    const calling = one.call(leaving.signal, how === "a caller that leaves" ? 5_000 : 200);
    const outcome = expect(calling).rejects.toMatchObject(
      how === "a caller that leaves" ? { message: "left" } : { code: -32001 },
    );
    await called.promise;
    if (how === "a caller that leaves") leaving.abort(new Error("left"));
    await outcome;
    await hungUp.promise;
    const call = one.seen.find(({ message }) => message.method === "tools/call");
    const told = () =>
      one.seen.find(({ message }) => message.method === "notifications/cancelled")?.message
        .params;
    await expect.poll(told).toMatchObject({ requestId: call?.message.id });
  },
);

test("reads messages the same with any chunk boundaries", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ text: fc.string({ unit: "binary" }) })),
      fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
      (messages, sizes) => {
        const bytes = new TextEncoder().encode(
          messages.map((message) => `id: 7\n${event(message)}`).join(""),
        );
        const reader = new MessageReader();
        const read: unknown[] = [];
        for (let at = 0; at < bytes.length;) {
          const size = Number(sizes.next().value);
          read.push(...reader.push(bytes.subarray(at, at + size)));
          at += size;
        }
        expect(read).toEqual(messages);
      },
    ),
  );
});

test.each(["JSON", "a stream"])(
  "a result in %s that is nested too deep is the tool's failure",
  async (form) => {
    const deep = `${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`;
    await using one = await server(({ id }, response) => {
      const text = JSON.stringify(
        answer(id, { ...RESULT, structuredContent: "DEEP" }),
      ).replace('"DEEP"', deep);
      if (form === "JSON")
        response.writeHead(200, { "content-type": "application/json" }).end(text);
      else
        response
          .writeHead(200, { "content-type": "text/event-stream" })
          .end(`data: ${text}\n\n`);
    });
    await expect(one.call()).rejects.toMatchObject({ code: "tool_failed" });
  },
);

test.each([
  ["one line", "x".repeat(64 * 1024)],
  ["many lines", `data: ${"x".repeat(64 * 1024)}\n`],
  ["many whole ones", '\n\ndata: {"jsonrpc":"2.0","method":"notifications/x"}'.repeat(999)],
])(
  "a server whose notification never ends, in %s, is listened to no more, and its tools can still be called",
  async (_, piece) => {
    let hungUp = false;
    await using one = await server(
      ({ id }, response) => json(response, answer(id)),
      (_message, response) => {
        response
          .on("close", () => (hungUp = true))
          .writeHead(200, { "content-type": "text/event-stream" });
        response.write("data: ");
        const more = () => {
          while (!response.destroyed && response.write(piece));
        };
        response.on("drain", more);
        more();
      },
    );
    await vi.waitFor(() => expect(hungUp).toBe(true), 90_000);
    expect(await one.call()).toMatchObject(RESULT);
  },
);

test("a tool that reports progress without an end is cancelled at the last", async () => {
  await using one = await server(({ params }, response) => {
    stream(response);
    const meta = params?.["_meta"] as { progressToken?: string } | undefined;
    const progress = { progressToken: meta?.progressToken, progress: 1 };
    const report = event({
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: progress,
    });
    const timer = setInterval(() => response.write(report), 50);
    response.on("close", () => clearInterval(timer));
  });
  const called = one.call(undefined, 1_000, { progressMs: 500 });
  await expect(called).rejects.toMatchObject({ code: ErrorCode.RequestTimeout });
  await vi.waitFor(
    () =>
      expect(one.seen.map(({ message }) => message.method)).toContain(
        "notifications/cancelled",
      ),
    90_000,
  );
});

test("a server that asks to come back at once gets no streams without a pause", async () => {
  const reader = new MessageReader();
  reader.push(new TextEncoder().encode("retry: 0\n"));
  expect(reader.retryMs).toBe(100);

  const opened: string[] = [];
  let clock = 0;
  const now = vi.spyOn(performance, "now").mockImplementation(() => clock);
  const pauses: number[] = [];
  const fetchStream = toolFetch(
    {
      ...outgoing,
      fetch: async (_, init) => {
        opened.push(init?.method ?? "");
        return new Response("retry: 0\n\n", {
          headers: { "content-type": "text/event-stream" },
        });
      },
    },
    undefined,
    async (ms) => void (pauses.push(ms), (clock += ms)),
  );
  for (let n = 0; n < 3; n += 1) await fetchStream("http://t.example", { method: "GET" });
  await fetchStream("http://t.example", { method: "POST" });
  now.mockRestore();
  expect([opened, pauses]).toEqual([
    ["GET", "GET", "GET", "POST"],
    [1_000, 1_000],
  ]);
});
