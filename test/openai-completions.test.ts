import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { ServerResponse } from "node:http";
import {
  type FakeMediaProvider,
  startFakeMediaProvider,
  type TaskRequest,
} from "./support/fake-media-provider.ts";
import { type TestServer, startTestServer } from "./support/server.ts";

/** Texts that are continued, with the unchanged official client. */

let parlance: TestServer;
let provider: FakeMediaProvider;
let client: OpenAI;
beforeAll(async () => {
  provider = await startFakeMediaProvider();
  parlance = await startTestServer({
    OPENAI_API_KEY: "the-key",
    OPENAI_BASE_URL: provider.url,
    OPENAI_MODELS: "base-model,chat-model",
  });
  const made = await parlance.request("/api/v1/auth/api-keys", {
    body: { name: "test", scopes: ["conversation:create", "model:read"] },
  });
  client = new OpenAI({
    baseURL: `${parlance.url}/v1`,
    apiKey: ((await made.json()) as { key: string }).key,
    maxRetries: 0,
  });
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});
beforeEach(() => {
  provider.answer(answer);
  provider.requests.length = 0;
});

const EVENTS = { "content-type": "text/event-stream" };
const events = (...chunks: object[]) =>
  [...chunks.map((chunk) => JSON.stringify(chunk)), "[DONE]"]
    .map((data) => `data: ${data}\n\n`)
    .join("");
const USAGE = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };

/** A server whose `base-model` continues texts, and whose other model only chats. */
function answer({ path, body }: TaskRequest, to: ServerResponse): void {
  if (path.endsWith("/chat/completions")) return chat(body, to);
  if (body["model"] !== "base-model") {
    const message =
      "This is a chat model and not supported in the v1/completions endpoint.";
    return void to.writeHead(404).end(JSON.stringify({ error: { message } }));
  }
  const common = {
    id: "cmpl-9",
    object: "text_completion",
    created: 1,
    model: "base-model",
  };
  const choice = { index: 0, logprobs: { tokens: [" there"] }, finish_reason: null };
  if (!body["stream"])
    return void to.writeHead(200, { "content-type": "application/json" }).end(
      JSON.stringify({
        ...common,
        choices: [{ ...choice, text: " there", finish_reason: "stop" }],
        usage: USAGE,
      }),
    );
  to.writeHead(200, EVENTS).end(
    events(
      { ...common, choices: [{ ...choice, text: " the" }] },
      { ...common, choices: [{ ...choice, text: "re", finish_reason: "length" }] },
      { ...common, choices: [], usage: USAGE },
    ),
  );
}

function chat(body: Record<string, unknown>, to: ServerResponse): void {
  const [message] = body["messages"] as { content: string }[]; // as it was sent
  const chunk = (delta: object, finish: string | null = null) => ({
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  to.writeHead(200, EVENTS).end(
    events(
      chunk({ content: `<${message?.content}` }),
      chunk({ content: ">" }),
      chunk({}, "stop"),
      { object: "chat.completion.chunk", choices: [], usage: USAGE },
    ),
  );
}

const paths = () => provider.requests.map(({ path }) => path);
async function textOf(stream: AsyncIterable<OpenAI.Completion>) {
  const texts: string[] = [];
  let usage: OpenAI.CompletionUsage | null | undefined;
  let finish = "";
  for await (const chunk of stream) {
    usage = chunk.usage ?? usage;
    for (const { index, text, finish_reason: reason } of chunk.choices) {
      texts[index] = (texts[index] ?? "") + text;
      finish = reason ?? finish;
    }
  }
  return { texts, usage, finish };
}

test("a model that continues texts gets every field, and its answer comes back as it is", async () => {
  const done = await client.completions.create({
    model: "openai/base-model",
    prompt: ["Hello", "Bye"],
    suffix: "!",
    max_tokens: 5,
    n: 2,
    best_of: 3,
    echo: true,
    logprobs: 1,
    stop: ["\n"],
    seed: 4,
    // of vLLM
    min_p: 0.1,
  } as OpenAI.CompletionCreateParamsNonStreaming);
  expect(done).toMatchObject({
    object: "text_completion",
    model: "openai/base-model",
    choices: [{ text: " there", logprobs: { tokens: [" there"] }, finish_reason: "stop" }],
    usage: USAGE,
  });
  expect(paths()).toEqual(["/v1/completions"]);
  expect(provider.requests[0]?.body).toEqual({
    model: "base-model",
    prompt: ["Hello", "Bye"],
    suffix: "!",
    max_tokens: 5,
    n: 2,
    best_of: 3,
    echo: true,
    logprobs: 1,
    stop: ["\n"],
    seed: 4,
    min_p: 0.1,
  });
  await vi.waitFor(async () => {
    const used = await (await parlance.request("/api/v1/usage?groupBy=model")).text();
    expect(used).toMatch(/base-model.*"inputTokens":7/);
  });
});

test("tokens go to it as a prompt, and are no prompt for a model that chats", async () => {
  await client.completions.create({ model: "openai/base-model", prompt: [1, 2, 3] });
  expect(provider.requests[0]?.body["prompt"]).toEqual([1, 2, 3]);
  await expect(
    client.completions.create({ model: "openai/chat-model", prompt: [1, 2, 3] }),
  ).rejects.toMatchObject({ status: 400, code: "option_unsupported" });
});

test("its stream is passed on, with the usage where that is wanted", async () => {
  const ask = async (more: object) =>
    textOf(
      (await client.completions.create({
        model: "openai/base-model",
        prompt: "Hello",
        stream: true,
        ...more,
      })) as unknown as AsyncIterable<OpenAI.Completion>,
    );
  expect(await ask({})).toEqual({ texts: [" there"], usage: undefined, finish: "length" });
  const options = { stream_options: { include_usage: true } };
  expect((await ask(options)).usage).toEqual(USAGE);
});

test("a stream that breaks off ends with an error, and a whole answer is one event", async () => {
  const ask = async () =>
    textOf(
      await client.completions.create({
        model: "openai/base-model",
        prompt: "Hello",
        stream: true,
      }),
    );
  provider.answer((_, to) =>
    to.writeHead(200, EVENTS).end('data: {"choices":[{"index":0,"text":"half"}]}\n\n'),
  );
  await expect(ask()).rejects.toMatchObject({ code: "provider_cut" });
  provider.answer((_, to) =>
    to
      .writeHead(200, { "content-type": "application/json" })
      .end('{"choices":[{"text":"whole","finish_reason":"stop"}]}'),
  );
  expect(await ask()).toMatchObject({ texts: ["whole"], finish: "stop" });
});

test("a model that only chats is asked by chat, with the prompt as a message", async () => {
  const done = await client.completions.create({
    model: "openai/chat-model",
    prompt: ["Hello", "Bye"],
    n: 2,
    best_of: 2,
    echo: true,
    max_tokens: 5,
    temperature: 0.5,
    stop: "x",
    suffix: "",
    user: "me",
  });
  expect(
    done.choices.map(({ text, index, finish_reason }) => [index, text, finish_reason]),
  ).toEqual([
    [0, "Hello<Hello>", "stop"],
    [1, "Hello<Hello>", "stop"],
    [2, "Bye<Bye>", "stop"],
    [3, "Bye<Bye>", "stop"],
  ]);
  expect(done.usage).toEqual({
    prompt_tokens: 28,
    completion_tokens: 12,
    total_tokens: 40,
  });
  expect(provider.requests[1]?.body).toMatchObject({
    messages: [{ role: "user", content: "Hello" }],
    max_completion_tokens: 5,
    temperature: 0.5,
    stop: ["x"],
  });
  const stream = await client.completions.create({
    model: "openai/chat-model",
    prompt: ["a", "b"],
    echo: true,
    stream: true,
    stream_options: { include_usage: true },
  });
  expect(await textOf(stream)).toEqual({
    texts: ["a<a>", "b<b>"],
    usage: { prompt_tokens: 14, completion_tokens: 6, total_tokens: 20 },
    finish: "stop",
  });
});

test.each([
  { suffix: "!" },
  { logprobs: 0 },
  { best_of: 3 },
  { max_tokens: 0 },
  { min_p: 0.1 },
])("chat has no place for %j, which is refused by its name", async (more) => {
  const [name = ""] = Object.keys(more);
  await expect(
    client.completions.create({ model: "openai/chat-model", prompt: "Hello", ...more }),
  ).rejects.toMatchObject({
    status: 400,
    code: "option_unsupported",
    message: expect.stringContaining(name),
  });
  expect(paths().filter((path) => path.includes("chat"))).toEqual([]);
});

test("an agent writes by its own settings; what is wrong is said in OpenAI's form", async () => {
  const made = await parlance.request("/api/v1/agent", {
    body: { name: "Poet", instructions: "Rhyme.", model: "openai/chat-model" },
  });
  const { id } = (await made.json()) as { id: string };
  const done = await client.completions.create({ model: `agent:${id}`, prompt: "Hello" });
  expect(done.choices[0]?.finish_reason).toBe("stop");
  expect(JSON.stringify(provider.requests.at(-1)?.body)).toContain("Rhyme.");
  const ask = (body: object) =>
    client.completions.create({ model: "openai/base-model", prompt: "Hello", ...body });
  await expect(ask({ model: "openai/none" })).rejects.toMatchObject({ status: 404 });
  await expect(ask({ n: 65 })).rejects.toMatchObject({ status: 400 });
  await expect(ask({ prompt: Array(32).fill("a"), n: 3 })).rejects.toMatchObject({
    status: 400,
  });
  await expect(ask({ prompt: null })).rejects.toMatchObject({ status: 400 });
});

test("a budget that is used up lets no text be written", async () => {
  const made = await parlance.request("/api/v1/budgets", {
    body: {
      name: "none",
      subjectType: "user",
      subjectId: "*",
      period: "day",
      unit: "tokens",
      amount: 1,
    },
  });
  const { id } = (await made.json()) as { id: string };
  const ask = (model: string) => client.completions.create({ model, prompt: "Hello" });
  await ask("openai/base-model").catch(() => undefined); // it may be used up
  await vi.waitFor(async () => {
    const sent = provider.requests.length;
    for (const model of ["openai/base-model", "openai/chat-model"])
      await expect(ask(model)).rejects.toMatchObject({
        status: 429,
        code: "budget_exceeded",
      });
    expect(provider.requests).toHaveLength(sent);
  }, 15_000);
  await parlance.request(`/api/v1/budgets/${id}`, { method: "DELETE" });
});
