import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type Client,
  createClient,
  ParlanceError,
} from "../packages/client/src/create-client.ts";
import { startScriptedProvider } from "./support/scripted-provider.ts";
import { settingsOf } from "./support/scripted-server.ts";
import { startTestServer, type TestServer } from "./support/server.ts";

/** The published client against a real server, and against servers that fail. */

let parlance: TestServer;
let client: Client;
let provider: Awaited<ReturnType<typeof startScriptedProvider>>;

beforeAll(async () => {
  provider = await startScriptedProvider();
  provider.answer(() => ({
    text: ["Hello", " there", "."],
    usage: { inputTokens: 10, outputTokens: 3 },
  }));
  parlance = await startTestServer(settingsOf(provider));
  client = createClient({ baseUrl: parlance.url, token: parlance.token });
});

afterAll(async () => {
  await parlance?.[Symbol.asyncDispose]();
  await provider?.[Symbol.asyncDispose]();
});

test("a call has typed input and a typed answer", async () => {
  const made = await client.core.createAgent({
    body: { name: "Lawyer", instructions: "Be brief." },
  });
  const read = await client.core.getAgent({ params: { id: made.id } });
  expect(read.name).toBe("Lawyer");
  await client.core.deleteAgent({ params: { id: made.id } });
});

test("all pages of a list are read as one", async () => {
  for (let count = 0; count < 5; count += 1)
    await client.core.createAgent({ body: { name: `Paged ${count}`, instructions: "" } });
  const names: (string | undefined)[] = [];
  for await (const { name } of client.core.listAgents.all({ query: { limit: 2 } }))
    names.push(name);
  expect(names.filter((name) => name?.startsWith("Paged"))).toHaveLength(5);
});

test("a reply is answered whole, or as events", async () => {
  const whole = await client.core.send({
    body: { content: "Hi", model: "openai/gpt-test" },
  });
  expect(whole.content).toBe("Hello there.");
  let text = "";
  const kinds: string[] = [];
  for await (const event of client.core.send.stream({
    body: { content: "Hi", model: "openai/gpt-test" },
  })) {
    kinds.push(event.event);
    if (event.event === "text_delta") text += event.data.delta;
  }
  expect(text).toBe("Hello there.");
  expect(kinds.at(0)).toBe("conversation");
  expect(kinds.at(-1)).toBe("done");
});

test("a reply goes on behind its last event after a lost connection", async () => {
  let cuts = 0;
  const cutting: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
    if (!isStream || cuts > 0 || !response.body) return response;
    cuts += 1;
    return new Response(response.body.pipeThrough(cutAfter("text_delta")), response);
  };
  const lossy = createClient({
    baseUrl: parlance.url,
    token: parlance.token,
    fetch: cutting,
  });
  let text = "";
  const ids: (string | undefined)[] = [];
  for await (const event of lossy.core.send.stream({
    body: { content: "Hi", model: "openai/gpt-test" },
  })) {
    ids.push(event.id);
    if (event.event === "text_delta") text += event.data.delta;
  }
  expect(cuts).toBe(1);
  expect(text).toBe("Hello there.");
  expect(new Set(ids).size).toBe(ids.length);
});

test("a file is uploaded with its fields, and comes back as it was", async () => {
  const file = new File(["# Leave\n\n30 days."], "leave.md", { type: "text/markdown" });
  const { id } = await client.documents.upload({ form: { file } });
  const content = await client.documents.content({ params: { id } });
  expect(await content.text()).toBe("# Leave\n\n30 days.");
});

test("lines of JSON are read one by one", async () => {
  const kinds = [];
  for await (const line of client.users.exportMe()) kinds.push(typeof line);
  expect(kinds.length).toBeGreaterThan(1);
  expect(new Set(kinds)).toEqual(new Set(["object"]));
});

test("a failure has the server's code and sentence", async () => {
  const wrong = client.core.getAgent({ params: { id: crypto.randomUUID() } });
  await expect(wrong).rejects.toBeInstanceOf(ParlanceError);
  await expect(wrong).rejects.toMatchObject({ status: 404, code: "agent_not_found" });
  const ofOpenAi = client.core.chatCompletions({
    body: { model: "none", messages: [{ role: "user", content: "Hi" }] },
  });
  await expect(ofOpenAi).rejects.toMatchObject({ status: 404, code: "model_not_found" });
});

test("a token that has expired is renewed once", async () => {
  const refused: (string | undefined)[] = [];
  const renewing = createClient({
    baseUrl: parlance.url,
    token: (old) => {
      refused.push(old);
      return old === undefined ? "expired" : parlance.token;
    },
  });
  expect((await renewing.users.me()).email).toBe("admin@test.example");
  expect(refused).toEqual([undefined, "expired"]);
});

test("a temporary failure is tried again, where that does no harm", async () => {
  const answers = [503, 429, 200];
  await using server = await startFailing((answer) => {
    const status = answers.shift() ?? 200;
    answer.writeHead(status, { "retry-after": "0", "content-type": "application/json" });
    answer.end(JSON.stringify({ code: "busy", error: "Wait." }));
  });
  const failing = createClient({ baseUrl: server.url });
  await failing.core.listAgents();
  expect(server.requests).toHaveLength(3);

  answers.push(503);
  const created = failing.core.createAgent({ body: { name: "A", instructions: "" } });
  await expect(created).rejects.toMatchObject({ status: 503, code: "busy" });
  answers.push(429);
  await failing.core.createAgent({ body: { name: "A", instructions: "" } });
  expect(server.requests).toHaveLength(6);

  answers.push(503);
  await failing.core.send({ body: { content: "Hi" } });
  const [first, second] = server.requests.slice(-2);
  expect(first).toMatch(/^[\da-f]{32}$/);
  expect(second).toBe(first);
});

test("a pause of more than a minute is left to the caller", async () => {
  await using server = await startFailing((answer) => {
    answer.writeHead(429, { "retry-after": "3600" });
    answer.end("{}");
  });
  const call = createClient({ baseUrl: server.url }).core.listAgents();
  await expect(call).rejects.toMatchObject({ status: 429, retryAfterMs: 3_600_000 });
  expect(server.requests).toHaveLength(1);
});

test("a call ends with its time, and with the caller's signal", async () => {
  await using server = await startFailing(() => {}); // it never answers
  const silent = createClient({ baseUrl: server.url, maxAttempts: 1 });
  await expect(silent.core.listAgents({}, { timeoutMs: 20 })).rejects.toMatchObject({
    code: "timeout",
  });
  const abort = new AbortController();
  const call = silent.core.listAgents({}, { signal: abort.signal });
  abort.abort(new Error("enough"));
  await expect(call).rejects.toThrow("enough");
});

/** Fails the stream behind the first event of a kind. */
function cutAfter(
  event: string,
): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let seen = "";
  let isCut = false;
  return new TransformStream({
    transform(chunk, controller) {
      if (isCut) return;
      seen += new TextDecoder().decode(chunk);
      const at = seen.indexOf(`event: ${event}`);
      const end = at < 0 ? -1 : seen.indexOf("\n\n", at);
      if (end < 0) return;
      controller.enqueue(new TextEncoder().encode(seen.slice(0, end + 2)));
      // what is queued is read before the failure
      setTimeout(() => controller.error(new TypeError("terminated")), 50);
      isCut = true;
    },
  });
}

/** A server that fails as asked, and keeps the idempotency key of each request. */
async function startFailing(respond: (answer: ServerResponse) => void) {
  const requests: unknown[] = [];
  const server = createServer((request, answer) => {
    requests.push(request.headers["idempotency-key"]);
    request.resume();
    respond(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // of TCP
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
