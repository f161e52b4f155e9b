import { expect, test } from "vitest";
import { StreamResponse } from "../../platform/http/stream.ts";
import type { McpRequest, McpServerDeps } from "./mcp-request.ts";
import { answerQuickly } from "./quick-call.ts";
import type { CallOptions } from "./session-requests.ts";

const CALL = {
  jsonrpc: "2.0",
  id: 7,
  method: "tools/call",
  params: { name: "work", _meta: { progressToken: 1 } },
};
const RESULT = { content: [{ type: "text", text: "done" }] };
const MESSAGE = "x".repeat(64 * 1024);

/** Calls a tool that does `work`. */
async function call(work: (options: CallOptions) => Promise<void>) {
  const deps = {
    gateway: {
      call: async (_name: string, _args: unknown, options: CallOptions) => {
        await work(options);
        return RESULT;
      },
    },
    cancellations: { register: () => () => {} },
  } as unknown as McpServerDeps; // all that a call of a tool needs
  const entry = { listed: { name: "work", server: "one" } };
  const request = new Request("http://parlance.example/mcp", {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    },
  });
  const mcp = {
    request,
    caller: "anne",
    userId: "anne",
    signal: new AbortController().signal,
    tools: { check: async () => {} },
    offer: {
      entries: () => [entry],
      list: () => [entry.listed],
      nameOf: () => "work",
      find: () => "work",
    },
  } as unknown as McpRequest; // the same
  const answer = await answerQuickly(deps, mcp, CALL);
  if (!answer || !("stream" in answer)) throw new Error("the call was not streamed");
  if (!(answer.stream instanceof StreamResponse)) throw new Error("it is no stream");
  return answer.stream;
}

function say({ onNotice }: CallOptions, progress: number) {
  const params = { progress, message: MESSAGE };
  onNotice?.({ method: "notifications/progress", params });
}

test("a call ends where its client does not read what the tool server says meanwhile", async () => {
  let said = 0;
  const ended = Promise.withResolvers<void>();
  const stream = await call(async (options) => {
    for (; said < 2_000 && !options.signal?.aborted; said += 1) {
      say(options, said);
      if (said % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    ended.resolve();
  });
  await ended.promise;
  // about 8 MiB wait here, and as much as one read on the way to the socket
  expect(said).toBeGreaterThan(100);
  expect(said).toBeLessThan(400);
  let text = "";
  for (let piece = await stream.next(); piece !== undefined; piece = await stream.next())
    text += piece;
  expect(text).toContain('"id":7,"error"');
  expect(text).toContain("without a progress token");
  expect(text).not.toContain('"done"');
});

test("a client that reads gets all of it, and then the result", async () => {
  const stream = await call(async (options) => {
    for (let said = 0; said < 400; said += 1) {
      say(options, said);
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
  let messages = 0;
  let last = "";
  for (let piece = await stream.next(); piece !== undefined; piece = await stream.next()) {
    messages += piece.match(/notifications\/progress/g)?.length ?? 0;
    last = piece;
  }
  expect(messages).toBe(400);
  expect(last).toContain('"done"');
});
