import type { ServerResponse } from "node:http";
import OpenAI, { toFile } from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type FakeMediaProvider,
  PIXEL,
  startFakeMediaProvider,
} from "./support/fake-media-provider.ts";
import { type TestServer, startTestServer } from "./support/server.ts";

/** Images and sound at Google, Mistral and Azure, with the unchanged client of OpenAI. */

let parlance: TestServer;
let provider: FakeMediaProvider;
let client: OpenAI;
beforeAll(async () => {
  provider = await startFakeMediaProvider();
  parlance = await startTestServer();
  const base = provider.url.replace("/v1", "");
  await connect("google", { apiKey: "g", baseUrl: `${base}/v1beta` }, [
    ["image", "gemini-image"],
    ["image", "imagen-4"],
    ["speech", "gemini-tts"],
    ["transcription", "gemini-flash"],
    ["moderation", "gemini-guard"],
  ]);
  await connect("mistral", { apiKey: "m", baseUrl: `${base}/v1` }, [
    ["speech", "voxtral-tts"],
    ["transcription", "voxtral"],
    ["moderation", "mistral-moderation"],
    ["image", "pixtral"],
  ]);
  const azure = { apiKey: "a", endpoint: base, apiVersion: "2025-04-01-preview" };
  await connect("azure", azure, [
    ["image", "pictures"],
    ["moderation", "judge"],
  ]);
  const apiKey = parlance.token;
  client = new OpenAI({ baseURL: `${parlance.url}/v1`, apiKey, maxRetries: 0 });
}, 120_000);
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

async function connect(kind: string, config: object, models: [string, string][]) {
  const post = async (path: string, body: object) => {
    const { status } = await parlance.request(`/api/v1${path}`, { body });
    expect([path, status]).toEqual([path, 201]);
  };
  await post("/model-providers", { name: kind, displayName: kind, kind, config });
  for (const [of, id] of models) {
    await post("/models", { id, name: id, kind: of });
    const offer = { modelId: id, providerName: kind, providerModelId: id };
    await post("/available-models", { id: `${kind}/${id}`, ...offer });
  }
}

const json = (to: ServerResponse, answer: object) =>
  to.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
const answers = (answer: object) => provider.answer((_, to) => void json(to, answer));
const last = () => provider.requests.at(-1);
const picture = () => toFile(Buffer.from(PIXEL, "base64"), "boat.png");
const sound = () => toFile(Buffer.from("spoken"), "talk.wav", { type: "audio/wav" });
/** Source: Gemini API reference, GenerateContentResponse. */
const gemini = (...parts: object[]) => ({
  candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }],
  usageMetadata: {
    promptTokenCount: 12,
    candidatesTokenCount: 1_290,
    totalTokenCount: 1_302,
  },
});
const inline = (mimeType: string, data: string) => ({ inlineData: { mimeType, data } });

test("Gemini makes and edits images by generateContent", async () => {
  answers(gemini({ text: "Here it is." }, inline("image/png", PIXEL)));
  const model = "google/gemini-image";
  const made = await client.images.generate({ model, prompt: "A boat", size: "1536x1024" });
  expect(made.data).toEqual([{ b64_json: PIXEL }]);
  expect(made.usage).toMatchObject({ input_tokens: 12, output_tokens: 1_290 });
  expect(last()).toMatchObject({
    path: "/v1beta/models/gemini-image:generateContent",
    key: "g",
    body: {
      contents: [{ role: "user", parts: [{ text: "A boat" }] }],
      generationConfig: {
        responseModalities: ["TEXT", "IMAGE"],
        imageConfig: { aspectRatio: "4:3" },
      },
    },
  });
  const edited = await client.images.edit({
    model,
    image: await picture(),
    prompt: "Bluer",
  });
  expect(edited.data).toEqual([{ b64_json: PIXEL }]);
  expect(last()?.body).toMatchObject({
    contents: [{ parts: [inline("image/png", PIXEL), { text: "Bluer" }] }],
  });
  const events = await client.images.generate({ model, prompt: "A boat", stream: true });
  expect((await Array.fromAsync(events)).map(({ type }) => type)).toEqual([
    "image_generation.completed",
  ]);
});

test("Imagen makes images by predict", async () => {
  const prediction = { mimeType: "image/png", bytesBase64Encoded: PIXEL };
  answers({ predictions: [prediction, prediction] });
  const model = "google/imagen-4";
  const made = await client.images.generate({ model, prompt: "A boat", n: 2 });
  expect(made.data).toEqual([{ b64_json: PIXEL }, { b64_json: PIXEL }]);
  expect(last()).toMatchObject({
    path: "/v1beta/models/imagen-4:predict",
    body: { instances: [{ prompt: "A boat" }], parameters: { sampleCount: 2 } },
  });
});

test("Gemini speaks, and its bare sound becomes a WAV file", async () => {
  const samples = Buffer.from([1, 0, 2, 0]);
  answers(gemini(inline("audio/L16;codec=pcm;rate=24000", samples.toString("base64"))));
  const speech = { model: "google/gemini-tts", voice: "Puck", input: "Good morning" };
  const spoken = await client.audio.speech.create(speech);
  expect(spoken.headers.get("content-type")).toBe("audio/wav");
  const bytes = Buffer.from(await spoken.arrayBuffer());
  expect(bytes.toString("latin1", 0, 4)).toBe("RIFF");
  expect([bytes.readUInt32LE(24), bytes.subarray(44)]).toEqual([24_000, samples]);
  expect(last()?.body).toMatchObject({
    generationConfig: {
      responseModalities: ["AUDIO"],
      speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: "Puck" } } },
    },
  });
});

test("Gemini writes down a recording, without its thoughts", async () => {
  answers(gemini({ text: "Let me listen.", thought: true }, { text: "Hello." }));
  const text = await client.audio.transcriptions.create({
    model: "google/gemini-flash",
    file: await sound(),
    language: "de",
  });
  expect(text.text).toBe("Hello.");
  const data = Buffer.from("spoken").toString("base64");
  const task = { text: expect.stringContaining("language is de") };
  expect(last()?.body).toMatchObject({
    contents: [{ parts: [inline("audio/wav", data), task] }],
  });
});

test("Mistral speaks in JSON, and judges without saying what is flagged", async () => {
  answers({ audio_data: Buffer.from("ID3-sound").toString("base64") });
  const speech = { model: "mistral/voxtral-tts", voice: "gb_jane_neutral", input: "Hi" };
  const spoken = await client.audio.speech.create(speech);
  expect(spoken.headers.get("content-type")).toBe("audio/mpeg");
  expect(await spoken.text()).toBe("ID3-sound");
  expect(last()).toMatchObject({
    path: "/v1/audio/speech",
    authorization: "Bearer m",
    body: { model: "voxtral-tts", voice_id: "gb_jane_neutral", response_format: "mp3" },
  });
  const categories = { sexual: false, hate_and_discrimination: true };
  answers({ id: "x", model: "m", results: [{ categories, category_scores: {} }] });
  const judged = await client.moderations.create({
    model: "mistral/mistral-moderation",
    input: "Go away",
  });
  expect(judged.results[0]?.flagged).toBe(true);
  expect(last()?.body).toEqual({ model: "mistral-moderation", input: "Go away" });
});

test("Mistral writes down by OpenAI's form, and Azure edits by its deployment", async () => {
  answers({ text: "Hello.", usage: { prompt_audio_seconds: 3 } });
  const heard = { model: "mistral/voxtral", file: await sound() };
  expect((await client.audio.transcriptions.create(heard)).text).toBe("Hello.");
  expect(last()).toMatchObject({
    path: "/v1/audio/transcriptions",
    body: { model: "voxtral" },
  });
  answers({ created: 1, data: [{ b64_json: PIXEL }] });
  const edit = { model: "azure/pictures", image: await picture(), prompt: "Bluer" };
  await client.images.edit(edit);
  expect(last()).toMatchObject({
    path: "/openai/deployments/pictures/images/edits?api-version=2025-04-01-preview",
    key: "a",
    files: [{ field: "image", type: "image/png" }],
  });
});

test.each(["google/gemini-guard", "azure/judge"])(
  "what a provider has no API for is refused by name: %s",
  async (model) => {
    const before = provider.requests.length;
    await expect(client.moderations.create({ model, input: "x" })).rejects.toMatchObject({
      status: 400,
      code: "model_task_unsupported",
      message: expect.stringContaining(model.split("/")[0] ?? ""),
    });
    const image = { model: "mistral/pixtral", prompt: "x" };
    await expect(client.images.generate(image)).rejects.toMatchObject({ status: 400 });
    expect(provider.requests).toHaveLength(before);
  },
);

test("what would choose another model or address at the provider is refused by name", async () => {
  for (const [name, value] of [
    ["models", ["dearer"]],
    ["api_base", "https://elsewhere.example"],
  ] as const)
    await expect(
      client.moderations.create({
        model: "mistral/mistral-moderation",
        input: "Go away",
        [name]: value,
      }),
    ).rejects.toMatchObject({ status: 400, code: "option_unsupported", param: name });
});

test("options that Gemini has no place for are refused, and an answer without an image fails", async () => {
  const model = "google/gemini-image";
  const many = client.images.generate({ model, prompt: "x", n: 2 });
  await expect(many).rejects.toMatchObject({ status: 400, code: "option_unsupported" });
  const mask = await picture();
  const masked = client.images.edit({ model, image: await picture(), mask, prompt: "x" });
  await expect(masked).rejects.toMatchObject({ code: "option_unsupported" });
  answers(gemini({ text: "I cannot draw that." }));
  const empty = client.images.generate({ model, prompt: "x" });
  await expect(empty).rejects.toMatchObject({ code: "provider_invalid" });
});

test("a transcript of Gemini arrives while it is written; one without its end was cut", async () => {
  const chunk = (text: string, more: object = {}) =>
    `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ text }] }, ...more }] })}\r\n\r\n`;
  const end = {
    candidates: [{ content: { parts: [{ text: "lo." }] }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 14, candidatesTokenCount: 3 },
  };
  const type = { "content-type": "text/event-stream" };
  const whole = [chunk("Hel"), `data: ${JSON.stringify(end)}\r\n\r\n`];
  const heard = async () => {
    const events: object[] = [];
    const stream = await client.audio.transcriptions.create({
      model: "google/gemini-flash",
      file: await sound(),
      stream: true,
    });
    for await (const event of stream) events.push(event);
    return events;
  };
  provider.answer((_, to) => void to.writeHead(200, type).end(whole.join("")));
  expect(await heard()).toEqual([
    { type: "transcript.text.delta", delta: "Hel" },
    { type: "transcript.text.delta", delta: "lo." },
    {
      type: "transcript.text.done",
      text: "Hello.",
      usage: { input_tokens: 14, output_tokens: 3 },
    },
  ]);
  expect(last()?.path).toBe("/v1beta/models/gemini-flash:streamGenerateContent?alt=sse");
  provider.answer((_, to) => void to.writeHead(200, type).end(chunk("Hel")));
  await expect(heard()).rejects.toThrow();
  provider.answer((_, to) => void to.writeHead(200, type).end("data: {nope\n\n"));
  await expect(heard()).rejects.toThrow();
});
