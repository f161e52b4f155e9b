// Public clients of npm, unchanged and with their defaults, against a running server.
// Prints a line of JSON for each: what was tried, and why it failed if it did.
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import {
  Agent,
  run,
  setDefaultOpenAIClient,
  setTracingDisabled,
  tool,
} from "@openai/agents";
import { embedMany, generateText, stepCountIs, streamText, tool as aiTool } from "ai";
import OpenAI, { toFile } from "openai";
import { z } from "zod";

const { SERVER: url, KEY: apiKey, MODEL: model } = process.env;
const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey });
const anthropic = new Anthropic({ baseURL: url, apiKey });
const input = "What is the weather in Bonn?";
const messages = [{ role: "user", content: input }];

async function tried(client, what, work, expected = "All done.") {
  let failure;
  try {
    const answer = await work();
    if (answer !== expected) failure = `answered ${JSON.stringify(answer)}`;
  } catch (error) {
    failure = String(error?.message ?? error).slice(0, 200);
  }
  console.log(JSON.stringify({ client, what, failure }));
}

await tried(
  "openai",
  "chat, streamed",
  async () => {
    let text = "";
    const stream = await openai.chat.completions.create({ model, messages, stream: true });
    for await (const { choices } of stream) text += choices[0]?.delta.content ?? "";
    return text;
  },
  "Hello there",
);
await tried(
  "openai",
  "responses, continued",
  async () => {
    const first = await openai.responses.create({ model, input });
    const next = { model, input: "And?", previous_response_id: first.id };
    return (await openai.responses.create(next)).output_text;
  },
  "Hello there",
);
const embedding = { model: "hashed-words-v1", input: [input, "And?"] };
await tried(
  "openai",
  "embeddings",
  async () => {
    const { data } = await openai.embeddings.create(embedding);
    return data.map((one) => one.embedding.length).join();
  },
  "1024,1024",
);
const picture = () => toFile(Buffer.from("iVBORw0KGgo=", "base64"), "boat.png");
const recording = () => toFile(Buffer.from("RIFF-sound"), "talk.wav");
const typesOf = async (events) => {
  const types = [];
  for await (const { type } of await events) types.push(type);
  return types.join();
};
const hasBytes = ({ data }) => data.every(({ b64_json: bytes }) => bytes.length > 0);
const paint = { model: "gpt-image-1", prompt: "A boat" };
await tried(
  "openai",
  "images, made and edited",
  async () => {
    const edit = { ...paint, image: [await picture(), await picture()] };
    const made = [await openai.images.generate(paint), await openai.images.edit(edit)];
    return made.every(hasBytes);
  },
  true,
);
await tried(
  "openai",
  "images, streamed",
  async () =>
    (await typesOf(openai.images.generate({ ...paint, stream: true }))) +
    "," +
    (await typesOf(openai.images.edit({ ...paint, image: await picture(), stream: true }))),
  "image_generation.partial_image,image_generation.completed," +
    "image_edit.partial_image,image_edit.completed",
);
await tried(
  "openai",
  "speech",
  async () => {
    const speech = { model: "gpt-4o-mini-tts", voice: "alloy", input: "Hello." };
    return (await openai.audio.speech.create(speech)).text();
  },
  "ID3-sound",
);
await tried(
  "openai",
  "a transcription, streamed",
  async () => {
    const file = await recording();
    const asked = { model: "gpt-4o-transcribe", file, stream: true };
    return typesOf(openai.audio.transcriptions.create(asked));
  },
  "transcript.text.delta,transcript.text.delta,transcript.text.done",
);
await tried(
  "@anthropic-ai/sdk",
  "messages, streamed",
  () => anthropic.messages.stream({ model, max_tokens: 100, messages }).finalText(),
  "Hello there",
);

setTracingDisabled(true);
setDefaultOpenAIClient(openai);
const weather = tool({
  name: "get_weather",
  description: "The weather",
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => `Sun in ${city}`,
});
const agent = new Agent({ name: "A", instructions: "Be brief.", model, tools: [weather] });
await tried("@openai/agents", "a tool", async () => (await run(agent, input)).finalOutput);
await tried("@openai/agents", "a tool, streamed", async () => {
  const result = await run(agent, input, { stream: true });
  for await (const _ of result);
  return result.finalOutput;
});

const tools = {
  get_weather: aiTool({
    description: "The weather",
    inputSchema: z.object({ city: z.string() }),
    execute: ({ city }) => `Sun in ${city}`,
  }),
};
const providers = {
  "@ai-sdk/openai": createOpenAI({ baseURL: `${url}/v1`, apiKey }),
  "@ai-sdk/anthropic": createAnthropic({ baseURL: `${url}/v1`, apiKey }),
};
for (const [name, provider] of Object.entries(providers)) {
  const ask = { model: provider(model), prompt: input, tools, stopWhen: stepCountIs(3) };
  await tried(name, "a tool", async () => (await generateText(ask)).text);
  await tried(name, "a tool, streamed", async () => await streamText(ask).text);
}
await tried(
  "@ai-sdk/openai",
  "embeddings",
  async () => {
    const by = providers["@ai-sdk/openai"].textEmbeddingModel(embedding.model);
    const { embeddings } = await embedMany({ model: by, values: embedding.input });
    return embeddings.map(({ length }) => length).join();
  },
  "1024,1024",
);
process.exit();
