import OpenAI, { toFile } from "openai";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import {
  answerAsOpenAi,
  type FakeMediaProvider,
  PIXEL,
  startFakeMediaProvider,
} from "./support/fake-media-provider.ts";
import { type TestServer, startTestServer } from "./support/server.ts";

/** Images, sound and moderation with the unchanged official client. */

let parlance: TestServer;
let provider: FakeMediaProvider;
let client: OpenAI;
beforeAll(async () => {
  provider = await startFakeMediaProvider();
  parlance = await startTestServer({
    OPENAI_API_KEY: "the-key",
    OPENAI_BASE_URL: provider.url,
    OPENAI_MODELS:
      "gpt-test,gpt-image-1,gpt-image-1-mini,gpt-4o-mini-tts,whisper-1,gpt-4o-transcribe,omni-moderation-latest,text-embedding-3-small",
  });
  client = new OpenAI({
    baseURL: `${parlance.url}/v1`,
    apiKey: await apiKey(["conversation:create", "model:read"]),
    maxRetries: 0,
  });
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});
beforeEach(() => provider.answer(answerAsOpenAi));

async function apiKey(scopes: string[]): Promise<string> {
  const body = { name: "test", scopes };
  const made = await parlance.request("/api/v1/auth/api-keys", { body });
  return ((await made.json()) as { key: string }).key;
}
const last = () => provider.requests.at(-1);
interface Used {
  model: string;
  inputTokens: number;
  outputTokens: number;
}
const usedBy = async (model: string) => {
  const answer = await parlance.request("/api/v1/usage?groupBy=model");
  const { items } = (await answer.json()) as { items: (Used & { key?: string })[] };
  return items.find((one) => JSON.stringify(one).includes(model));
};
const picture = (name = "boat.png") => toFile(Buffer.from(PIXEL, "base64"), name);
const speech = () => toFile(Buffer.from("RIFF-sound"), "talk.wav", { type: "audio/wav" });

test("an image is made, and charged by the tokens that the provider says", async () => {
  const made = await client.images.generate({
    model: "openai/gpt-image-1",
    prompt: "A boat",
    size: "1024x1024",
    quality: "low",
  });
  expect(made.data?.[0]?.b64_json).toBe(PIXEL);
  expect(made.usage?.output_tokens).toBe(50);
  expect(last()).toMatchObject({
    path: "/v1/images/generations",
    authorization: "Bearer the-key",
    body: { model: "gpt-image-1", prompt: "A boat", size: "1024x1024", quality: "low" },
  });
  await vi.waitFor(async () =>
    expect(await usedBy("gpt-image-1")).toMatchObject({
      inputTokens: 50,
      outputTokens: 50,
    }),
  );
});

test("without a name, the first model of the kind is asked", async () => {
  await client.images.generate({ prompt: "A boat" });
  expect(last()?.body["model"]).toBe("gpt-image-1");
  await client.moderations.create({ input: "Go away" });
  expect(last()?.body["model"]).toBe("omni-moderation-latest");
});

test("speech is passed on while it is made, and what is read is charged", async () => {
  const { promise: more, resolve: goOn } = Promise.withResolvers<void>();
  provider.answer((_, to) => {
    to.writeHead(200, { "content-type": "audio/mpeg" }).write("first");
    void more.then(() => to.end("second"));
  });
  const answer = await client.audio.speech.create({
    model: "gpt-4o-mini-tts",
    voice: "alloy",
    input: "Good morning to you",
    instructions: "Speak slowly.",
  });
  expect(answer.headers.get("content-type")).toBe("audio/mpeg");
  const reader = answer.body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("first");
  goOn();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("second");
  expect(await reader?.read()).toMatchObject({ done: true });
  expect(last()?.body).toMatchObject({ voice: "alloy", instructions: "Speak slowly." });
  await vi.waitFor(async () =>
    expect((await usedBy("gpt-4o-mini-tts"))?.inputTokens).toBeGreaterThan(0),
  );
});

test("a client that leaves ends the speech at the provider", async () => {
  provider.answer((_, to) => {
    to.writeHead(200, { "content-type": "audio/mpeg" }).write("first");
  });
  const before = provider.aborted;
  const leaving = new AbortController();
  const answer = await client.audio.speech.create(
    { model: "gpt-4o-mini-tts", voice: "alloy", input: "x" },
    { signal: leaving.signal },
  );
  await answer.body?.getReader().read();
  leaving.abort();
  await vi.waitFor(() => expect(provider.aborted).toBe(before + 1), 10_000);
});

test("a recording is written down, with its fields behind the file", async () => {
  const text = await client.audio.transcriptions.create({
    file: await speech(),
    model: "whisper-1",
    language: "en",
    response_format: "verbose_json",
    timestamp_granularities: ["word", "segment"],
  });
  expect(text.text).toBe("Hello.");
  expect(last()).toMatchObject({
    path: "/v1/audio/transcriptions",
    body: {
      model: "whisper-1",
      language: "en",
      response_format: "verbose_json",
      "timestamp_granularities[]": ["word", "segment"],
    },
    file: { name: "talk.wav", type: "audio/wav", bytes: Buffer.from("RIFF-sound") },
  });
  await vi.waitFor(async () =>
    expect(await usedBy("whisper-1")).toMatchObject({ inputTokens: 90, seconds: 9 }),
  );
});

test("subtitles and translations come as the provider writes them", async () => {
  const subtitles = await client.audio.transcriptions.create({
    file: await speech(),
    model: "whisper-1",
    response_format: "srt",
  });
  expect(subtitles).toContain("00:00:00,000 --> 00:00:01,000");
  await client.audio.translations.create({ file: await speech(), model: "whisper-1" });
  expect(last()?.path).toBe("/v1/audio/translations");
});

test("several images are edited with a mask, by the client's own form", async () => {
  const made = await client.images.edit({
    model: "gpt-image-1",
    image: [await picture("one.png"), await picture("two.png")],
    mask: await picture("mask.png"),
    prompt: "A gift basket",
    size: "1024x1024",
  });
  expect(made.data?.[0]?.b64_json).toBe(PIXEL);
  expect(last()).toMatchObject({
    path: "/v1/images/edits",
    authorization: "Bearer the-key",
    body: { model: "gpt-image-1", prompt: "A gift basket", size: "1024x1024" },
  });
  expect(last()?.files.map(({ field, name, type }) => [field, name, type])).toEqual([
    ["image[]", "one.png", "image/png"],
    ["image[]", "two.png", "image/png"],
    ["mask", "mask.png", "image/png"],
  ]);
  expect(last()?.files[0]?.bytes).toEqual(Buffer.from(PIXEL, "base64"));
});

test("one image is sent in the field that older servers know", async () => {
  await client.images.edit({ image: await picture(), prompt: "Bluer" });
  expect(last()?.files.map(({ field }) => field)).toEqual(["image"]);
});

test("images are shown while they are made, and charged by the last event", async () => {
  const model = "gpt-image-1-mini";
  const types: string[] = [];
  const made = { model, prompt: "A boat", stream: true, partial_images: 1 } as const;
  for await (const event of await client.images.generate(made)) types.push(event.type);
  const edit = { model, image: await picture(), prompt: "Bluer", stream: true } as const;
  for await (const event of await client.images.edit(edit)) {
    types.push(event.type);
    expect(event.b64_json).toBe(PIXEL);
  }
  expect(types).toEqual([
    "image_generation.partial_image",
    "image_generation.completed",
    "image_edit.partial_image",
    "image_edit.completed",
  ]);
  await vi.waitFor(async () =>
    expect(await usedBy(model)).toMatchObject({
      inputTokens: 60,
      outputTokens: 80,
      images: 2,
    }),
  );
});

test("a transcript arrives in pieces", async () => {
  const events = await client.audio.transcriptions.create({
    file: await speech(),
    model: "gpt-4o-transcribe",
    stream: true,
  });
  const pieces: string[] = [];
  for await (const event of events)
    if (event.type === "transcript.text.delta") pieces.push(event.delta);
    else if (event.type === "transcript.text.done") pieces.push(`= ${event.text}`);
  expect(pieces).toEqual(["Hel", "lo.", "= Hello."]);
  await vi.waitFor(async () =>
    expect(await usedBy("gpt-4o-transcribe")).toMatchObject({ inputTokens: 14 }),
  );
});

test("a server that does not stream is heard as one event", async () => {
  provider.answer((request, to) => answerAsOpenAi({ ...request, body: {} }, to));
  const made = await client.images.generate({ prompt: "A boat", stream: true });
  const events = await Array.fromAsync(made);
  expect(events).toMatchObject([
    { type: "image_generation.completed", b64_json: PIXEL, usage: { output_tokens: 50 } },
  ]);
});

test.each([
  ["an error", 'data: {"error":{"message":"overloaded","code":503}}\n\n', "provider_"],
  ["nothing more", "", "provider_cut"],
])("a stream that ends with %s ends with an error", async (_, end, code) => {
  const partial = { type: "image_generation.partial_image", b64_json: PIXEL };
  provider.answer((__, to) => {
    to.writeHead(200, { "content-type": "text/event-stream" });
    to.end(`data: ${JSON.stringify(partial)}\n\n${end}`);
  });
  const types: string[] = [];
  const reading = async () => {
    for await (const { type } of await client.images.generate({
      prompt: "x",
      stream: true,
    }))
      types.push(type);
  };
  await expect(reading()).rejects.toMatchObject({ code: expect.stringContaining(code) });
  expect(types).toEqual(["image_generation.partial_image"]);
});

test("a client that leaves a stream ends it at the provider", async () => {
  provider.answer((_, to) => {
    const partial = { type: "image_generation.partial_image", b64_json: PIXEL };
    to.writeHead(200, { "content-type": "text/event-stream" });
    to.write(`data: ${JSON.stringify(partial)}\n\n`);
  });
  const before = provider.aborted;
  const events = await client.images.generate({ prompt: "x", stream: true });
  for await (const _ of events) break;
  await vi.waitFor(() => expect(provider.aborted).toBe(before + 1), 10_000);
});

test("texts and images are judged", async () => {
  const judged = await client.moderations.create({
    model: "omni-moderation-latest",
    input: [
      { type: "text", text: "Go away" },
      { type: "image_url", image_url: { url: `data:image/png;base64,${PIXEL}` } },
    ],
  });
  expect(judged.results[0]).toMatchObject({
    flagged: true,
    category_applied_input_types: { violence: ["text"] },
  });
});

test("models of all kinds are listed, and the one that embeds by its own name", async () => {
  const listed: string[] = [];
  for await (const { id } of client.models.list()) listed.push(id);
  expect(listed).toEqual(
    expect.arrayContaining([
      "openai/gpt-test",
      "openai/gpt-image-1",
      "openai/whisper-1",
      "hashed-words-v1",
    ]),
  );
  // clients of Anthropic's form only chat
  const chat = await parlance.request("/v1/models", {
    headers: { "anthropic-version": "2023-06-01" },
  });
  expect(JSON.stringify(await chat.json())).not.toContain("gpt-image-1");
});

test.each([
  [
    "of another kind",
    () => client.images.generate({ model: "whisper-1", prompt: "x" }),
    404,
  ],
  [
    "that is unknown",
    () => client.audio.speech.create({ model: "none", voice: "a", input: "x" }),
    404,
  ],
  [
    "of an edit without an image",
    async () =>
      client.images.edit({ image: [], prompt: "x", mask: await picture("mask.png") }),
    400,
  ],
  [
    "of an edit without a prompt",
    async () => client.images.edit({ image: await picture(), prompt: "" }),
    400,
  ],
  [
    "of a recording above 25 MB",
    async () =>
      client.audio.transcriptions.create({
        file: await toFile(Buffer.alloc(25 * 2 ** 20 + 1), "long.wav"),
        model: "whisper-1",
      }),
    413,
  ],
])("a request %s is refused in OpenAI's form", async (_, ask, status) => {
  const before = provider.requests.length;
  const failure = await Promise.resolve(ask()).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ status, error: { message: expect.any(String) } });
  expect(provider.requests).toHaveLength(before);
});

test.each([
  [429, { error: { message: "slow down" } }, 429, "provider_rate_limited"],
  [
    400,
    { error: { code: "moderation_blocked", message: "safety system" } },
    502,
    "provider_filtered",
  ],
  [200, { unexpected: true }, 502, "provider_invalid"],
])("a provider that answers %s with %j fails with %s", async (status, body, ours, code) => {
  provider.answer((_, to) => {
    to.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await expect(client.images.generate({ prompt: "x" })).rejects.toMatchObject({
    status: ours,
    code,
  });
});

test("a key without the scope, and a used-up budget, reach no provider", async () => {
  const narrow = new OpenAI({
    baseURL: `${parlance.url}/v1`,
    apiKey: await apiKey(["model:read"]),
    maxRetries: 0,
  });
  const before = provider.requests.length;
  await expect(narrow.images.generate({ prompt: "x" })).rejects.toMatchObject({
    status: 403,
  });
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
  await client.moderations.create({ input: "counts" }).catch(() => undefined); // it may be used up
  await vi.waitFor(async () => {
    const sent = provider.requests.length;
    await expect(
      client.audio.transcriptions.create({ file: await speech(), model: "whisper-1" }),
    ).rejects.toMatchObject({ status: 429, code: "budget_exceeded" });
    expect(provider.requests).toHaveLength(sent);
  }, 15_000);
  expect(provider.requests.length).toBeGreaterThanOrEqual(before);
  await parlance.request(`/api/v1/budgets/${id}`, { method: "DELETE" });
});

/** The events of an answer. */
async function eventsOf(answer: { text(): Promise<string> }) {
  const lines = (await answer.text())
    .split("\n")
    .filter((line) => line.startsWith("data:"));
  return lines.map((line) => JSON.parse(line.slice(5)) as Record<string, unknown>);
}
const speechInEvents = (model: string) =>
  client.audio.speech.create({
    model,
    voice: "alloy",
    input: "Good morning to you",
    stream_format: "sse",
  });

test("speech comes as events, by a server that sends them and by one that sends sound alone", async () => {
  const usage = { input_tokens: 7, output_tokens: 90, total_tokens: 97 };
  provider.answer((_, to) => {
    to.writeHead(200, { "content-type": "text/event-stream" });
    to.write('data: {"type":"speech.audio.delta","audio":"QUJD"}\n\n');
    to.end(`data: ${JSON.stringify({ type: "speech.audio.done", usage })}\n\n`);
  });
  expect(await eventsOf(await speechInEvents("gpt-4o-mini-tts"))).toEqual([
    { type: "speech.audio.delta", audio: "QUJD" },
    { type: "speech.audio.done", usage },
  ]);
  expect(last()?.body["stream_format"]).toBe("sse");
  await vi.waitFor(async () =>
    expect(JSON.stringify(await usedBy("gpt-4o-mini-tts"))).toContain('"outputTokens":90'),
  );
  provider.answer(answerAsOpenAi);
  const answer = await speechInEvents("gpt-4o-mini-tts");
  expect(answer.headers.get("content-type")).toBe("text/event-stream");
  const events = await eventsOf(answer);
  const sound = events.flatMap(({ audio }) => (typeof audio === "string" ? [audio] : []));
  expect(sound.map((part) => Buffer.from(part, "base64").toString()).join("")).toBe(
    "ID3-sound",
  );
  expect(events.at(-1)).toMatchObject({
    type: "speech.audio.done",
    usage: { output_tokens: 0 },
  });
});

test("speech in events that is cut ends with an error", async () => {
  provider.answer((_, to) => {
    to.writeHead(200, { "content-type": "text/event-stream" });
    to.end('data: {"type":"speech.audio.delta","audio":"QUJD"}\n\n');
  });
  const events = await eventsOf(await speechInEvents("gpt-4o-mini-tts"));
  expect(events.at(-1)).toMatchObject({ error: { code: "provider_cut" } });
});

const editAsJson = async (body: object | string, key?: string) =>
  fetch(`${parlance.url}/v1/images/edits`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${key ?? parlance.token}`,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

test("images to edit are named in JSON, by the id of a file and as a data: URL", async () => {
  const uploader = new OpenAI({ baseURL: `${parlance.url}/v1`, apiKey: parlance.token });
  const { id } = await uploader.files.create({ file: await picture(), purpose: "vision" });
  const image_url = `data:image/png;base64,${PIXEL}`;
  const body = {
    model: "gpt-image-1",
    prompt: "A sail",
    images: [{ file_id: id }, { image_url }],
    mask: { image_url },
    size: "1024x1024",
    n: 2,
  };
  const answer = await editAsJson(body);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ data: [{ b64_json: PIXEL }] });
  expect(last()).toMatchObject({
    path: "/v1/images/edits",
    body: { model: "gpt-image-1", prompt: "A sail", size: "1024x1024", n: "2" },
  });
  expect(
    last()?.files.map(({ field, bytes }) => [field, bytes.toString("base64")]),
  ).toEqual([
    ["image[]", PIXEL],
    ["image[]", PIXEL],
    ["mask", PIXEL],
  ]);
  const narrow = await apiKey(["conversation:create"]);
  expect((await editAsJson(body, narrow)).status).toBe(403);
});

test.each([
  "{",
  "[]",
  { prompt: "x" },
  { prompt: "x", images: [] },
  { prompt: "x", images: [{}] },
  { prompt: "", images: [{ image_url: `data:image/png;base64,${PIXEL}` }] },
  { prompt: "x", images: [{ image_url: "https://example.org/a.png" }] },
  { prompt: "x", images: [{ image_url: "data:text/html;base64,YQ==" }] },
  { prompt: "x", images: [{ file_id: "file-unknown" }] },
  { prompt: { deep: 1 }, images: [{ image_url: `data:image/png;base64,${PIXEL}` }] },
])("an edit in JSON that names no images is refused by name: %j", async (body) => {
  const before = provider.requests.length;
  const answer = await editAsJson(body);
  const { error } = (await answer.json()) as { error: { code: string } };
  expect([answer.status, error.code]).toEqual([
    400,
    expect.stringMatching(/^(validation_failed|image_invalid|given_file_missing)$/),
  ]);
  expect(provider.requests.length).toBe(before);
});
