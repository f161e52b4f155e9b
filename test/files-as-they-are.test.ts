import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  answerAsOpenAi,
  type FakeMediaProvider,
  startFakeMediaProvider,
} from "./support/fake-media-provider.ts";
import { pdfOfPages } from "./support/pdf-of-pages.ts";
import {
  type ScriptedProvider,
  startScriptedProvider,
} from "./support/scripted-provider.ts";
import { type TestServer, startTestServer } from "./support/server.ts";
import { uploadFile } from "./support/upload-file.ts";

/** PDFs and recordings that models take themselves, as the official clients send them. */
let parlance: TestServer;
let provider: ScriptedProvider;
let tasks: FakeMediaProvider;
let openai: OpenAI;
let anthropic: Anthropic;
let pdf: string;
const SOUND = Buffer.from("RIFF....WAVE sound").toString("base64");
const READS = "openai/gpt-5-mini";
const HEARS = "openai/gpt-audio-mini";
const NEITHER = "openai/gpt-test";

beforeAll(async () => {
  provider = await startScriptedProvider();
  tasks = await startFakeMediaProvider();
  parlance = await startTestServer({
    OPENAI_API_KEY: "key",
    OPENAI_BASE_URL: provider.url,
    OPENAI_MODELS: "gpt-test,gpt-5-mini",
  });
  await catalogue("/api/v1/models", { id: "hears", name: "Hears", kind: "completion" });
  await catalogue("/api/v1/available-models", {
    id: HEARS,
    modelId: "hears",
    providerName: "openai",
    providerModelId: "gpt-audio-mini",
  });
  const made = await parlance.request("/api/v1/auth/api-keys", {
    body: { name: "test", scopes: ["conversation:*", "model:read", "document:*"] },
  });
  const { key: apiKey } = (await made.json()) as { key: string };
  openai = new OpenAI({ baseURL: `${parlance.url}/v1`, apiKey, maxRetries: 0 });
  anthropic = new Anthropic({ baseURL: parlance.url, apiKey, maxRetries: 0 });
  pdf = Buffer.from(await pdfOfPages(["The ferry costs nine coins."])).toString("base64");
});
afterAll(async () => {
  await parlance[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  await tasks[Symbol.asyncDispose]();
});
beforeEach(() => {
  provider.answer(() => ({ text: ["Nine."] }));
  tasks.answer(answerAsOpenAi);
});

async function catalogue(path: string, body: object): Promise<void> {
  const made = await parlance.request(path, { body });
  expect([path, made.status]).toEqual([path, 201]);
}

const asked = () => JSON.stringify(provider.turns().at(-1)?.messages);
const asIs = () => ({ file_data: `data:application/pdf;base64,${pdf}` });
const chat = (model: string, part: OpenAI.ChatCompletionContentPart) =>
  openai.chat.completions.create({
    model,
    messages: [{ role: "user", content: [{ type: "text", text: "What?" }, part] }],
  });
const file = (model: string) =>
  chat(model, {
    type: "file",
    file: { filename: "prices.pdf", file_data: `data:application/pdf;base64,${pdf}` },
  });
const recording = (model: string) =>
  chat(model, { type: "input_audio", input_audio: { data: SOUND, format: "wav" } });

test("chat: a model that reads PDFs gets the file, another one its text", async () => {
  await file(READS);
  expect(provider.requests.at(-1)?.messages.at(-1)?.content).toMatchObject([
    { type: "text", text: "What?" },
    { type: "file", file: { filename: "prices.pdf", ...asIs() } },
  ]);
  await file(NEITHER);
  expect(asked()).toContain("The ferry costs nine coins.");
  expect(asked()).not.toContain("file_data");
});

test("chat: an uploaded PDF goes as it is, without waiting until it is read", async () => {
  const { body } = await uploadFile(parlance, Buffer.from(pdf, "base64"), "prices.pdf");
  await chat(READS, { type: "file", file: { file_id: `file-${body.id}` } });
  expect(provider.requests.at(-1)?.messages.at(-1)?.content).toMatchObject([
    {},
    { file: { filename: "prices.pdf", ...asIs() } },
  ]);
});

test("chat: a PDF outside of the user's messages is read as text", async () => {
  await openai.chat.completions.create({
    model: READS,
    messages: [
      {
        role: "system",
        content: [{ type: "file", file: { file_data: asIs().file_data } }] as never, // OpenAI takes none there
      },
      { role: "user", content: "What?" },
    ],
  });
  expect(asked()).toContain("The ferry costs nine coins.");
});

test("chat: what a request has no room for is read as text", async () => {
  const large = Buffer.concat([Buffer.from(pdf, "base64"), Buffer.alloc(5_500_000, "\n")]);
  const data = { file_data: `data:application/pdf;base64,${large.toString("base64")}` };
  await chat(READS, { type: "file", file: data });
  const content = provider.requests.at(-1)?.messages.at(-1)?.content;
  expect(JSON.stringify(content).length).toBeGreaterThan(7_000_000);
  const two = [1, 2].map(() => ({ type: "file" as const, file: { ...asIs() } }));
  await openai.chat.completions.create({
    model: READS,
    messages: [{ role: "user", content: two }],
  });
  expect(asked().split("file_data")).toHaveLength(3);
});

test("responses: the file is kept for the next turn, and read as text by a model that takes none", async () => {
  const first = await openai.responses.create({
    model: READS,
    input: [
      {
        role: "user",
        content: [
          { type: "input_text", text: "What does it cost?" },
          { type: "input_file", filename: "prices.pdf", ...asIs() },
        ],
      },
    ],
  });
  expect(asked()).toContain(asIs().file_data);
  const more = { input: "And now?", previous_response_id: first.id };
  await openai.responses.create({ model: READS, ...more });
  expect(asked()).toContain(asIs().file_data);
  await openai.responses.create({ model: NEITHER, ...more });
  expect(asked()).toContain("The ferry costs nine coins.");
  expect(asked()).not.toContain(asIs().file_data);
});

test("messages: a document goes as it is, in a result of a tool as text", async () => {
  const source = {
    type: "base64" as const,
    media_type: "application/pdf" as const,
    data: pdf,
  };
  await anthropic.messages.create({
    model: READS,
    max_tokens: 100,
    messages: [
      {
        role: "user",
        content: [
          { type: "document", title: "prices.pdf", source },
          { type: "text", text: "What?" },
        ],
      },
    ],
  });
  expect(asked()).toContain(asIs().file_data);
  await anthropic.messages.create({
    model: READS,
    max_tokens: 100,
    messages: [
      { role: "user", content: "Read it." },
      {
        role: "assistant",
        content: [{ type: "tool_use", id: "t1", name: "read", input: {} }],
      },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "t1",
            content: [{ type: "document", source }],
          },
        ],
      },
    ],
  });
  expect(asked()).toContain("The ferry costs nine coins.");
  expect(asked()).not.toContain("file_data");
});

test("a recording goes to a model that hears; without any that writes it down others refuse it by name", async () => {
  await recording(HEARS);
  expect(provider.requests.at(-1)?.messages.at(-1)?.content).toMatchObject([
    {},
    { type: "input_audio", input_audio: { data: SOUND, format: "wav" } },
  ]);
  const before = provider.requests.length;
  await expect(recording(NEITHER)).rejects.toMatchObject({
    status: 400,
    code: "audio_unsupported",
  });
  await expect(
    chat(HEARS, { type: "input_audio", input_audio: { data: "%%", format: "wav" } }),
  ).rejects.toMatchObject({ status: 400, code: "given_file_missing" });
  expect(provider.requests.length).toBe(before);
});

test("a recording is written down for a model that does not hear, in each API that takes one", async () => {
  await catalogue("/api/v1/model-providers", {
    name: "ears",
    kind: "openai-compatible",
    config: { baseUrl: tasks.url },
  });
  await catalogue("/api/v1/models", {
    id: "whisper",
    name: "Whisper",
    kind: "transcription",
  });
  await catalogue("/api/v1/available-models", {
    id: "ears/whisper-1",
    modelId: "whisper",
    providerName: "ears",
    providerModelId: "whisper-1",
  });
  await recording(NEITHER);
  expect(asked()).toContain("Hello.");
  expect(tasks.requests.at(-1)?.file).toMatchObject({
    name: "recording.wav",
    type: "audio/wav",
    bytes: Buffer.from(SOUND, "base64"),
  });
  const part = { type: "input_audio", input_audio: { data: SOUND, format: "mp3" } };
  const input = [{ role: "user", content: [part] }];
  const first = await openai.responses.create({ model: NEITHER, input: input as never }); // the client's types lack sound
  expect(asked()).toContain("Hello.");
  const heard = tasks.requests.length;
  await openai.responses.create({
    model: NEITHER,
    input: "Again?",
    previous_response_id: first.id,
  });
  expect(asked()).toContain("Hello.");
  expect(tasks.requests.length).toBe(heard);
  await chat(NEITHER, {
    type: "file",
    file: { file_data: `data:audio/wav;base64,${SOUND}`, filename: "talk.wav" },
  });
  expect(tasks.requests.at(-1)?.file?.name).toBe("talk.wav");
});

test("in a conversation, a short PDF is there as it is, for models with room for it", async () => {
  const { body } = await uploadFile(parlance, Buffer.from(pdf, "base64"), "prices.pdf");
  const say = async (more: object) => {
    const answer = await parlance.request("/api/v1/conversation", {
      body: { content: "What does it cost?", stream: false, ...more },
    });
    expect(answer.status).toBe(200);
    return (await answer.json()) as { conversationId: string };
  };
  const { conversationId } = await say({ model: READS, files: [body.id] });
  // its catalogue entry says nothing of its context
  expect(asked()).not.toContain("file_data");
  await parlance.request(`/api/v1/models/${encodeURIComponent(READS)}`, {
    method: "PATCH",
    body: { contextWindow: 400_000 },
  });
  await say({ conversationId, model: READS });
  expect(asked()).toContain(asIs().file_data);
  await say({ conversationId, model: NEITHER });
  expect(asked()).not.toContain("file_data");
  expect(asked()).toContain("is searched for the question");
});
