import { expect, test } from "vitest";
import { contextWindowOf, kindOfModel, ModelHints, visionOf } from "./classify-model.ts";

test.each([
  ["Qwen/Qwen3-32B", { owned_by: "vllm", max_model_len: 40960 }, "completion"],
  ["text-embedding-nomic-embed-text-v1.5", {}, "embedding"],
  ["qwen2.5-vl", { type: "vlm" }, "completion"],
  ["some-model", { type: "embeddings" }, "embedding"],
  ["some-model", { mode: "embedding" }, "embedding"],
  ["some-model", { mode: "rerank" }, "rerank"],
  ["some-model", { mode: "image_generation" }, "image"],
  ["some-model", { mode: "audio_transcription" }, "transcription"],
  ["some-model", { mode: "audio_speech" }, "speech"],
  ["gpt-image-1", {}, "image"],
  ["dall-e-3", {}, "image"],
  ["gpt-4o-mini-tts", {}, "speech"],
  ["gpt-4o-transcribe", {}, "transcription"],
  ["omni-moderation-latest", {}, "moderation"],
  ["gpt-4o-audio-preview", {}, "other"],
  ["tts-1-hd", {}, "speech"],
  ["some-model", { mode: "chat" }, "completion"],
  ["model.gguf", { capabilities: ["completion", "multimodal"] }, "completion"],
  ["model.gguf", { capabilities: ["embedding"] }, "embedding"],
  ["all-minilm:latest", { details: { family: "bert" } }, "embedding"],
  ["llama3.2:latest", { details: { family: "llama" } }, "completion"],
  ["BAAI/bge-m3", {}, "embedding"],
  ["BAAI/bge-reranker-v2-m3", {}, "rerank"],
  ["intfloat/multilingual-e5-large", {}, "embedding"],
  ["whisper-1", {}, "transcription"],
  ["gpt-5.1", {}, "completion"],
  ["odd", { type: 7, capabilities: "all", details: [] }, "completion"],
])("%s with %j is of the kind %s", (id, hints, kind) => {
  expect(kindOfModel(id, ModelHints.parse(hints))).toBe(kind);
});

test("takes the context window from the server", () => {
  expect(contextWindowOf(ModelHints.parse({ max_model_len: 4096 }))).toBe(4096);
  expect(contextWindowOf(ModelHints.parse({ max_model_len: "many" }))).toBeUndefined();
});

test.each<[object, boolean | undefined]>([
  [{ capabilities: ["completion", "multimodal"] }, true],
  [{ capabilities: ["completion", "tools"] }, false],
  [{ capabilities: { completion_chat: true, vision: true } }, true],
  [{ capabilities: { vision: false } }, false],
  [{ architecture: { input_modalities: ["text", "image"] } }, true],
  [{ architecture: { input_modalities: ["text"] } }, false],
  [{ type: "vlm" }, true],
  [{ type: "llm" }, false],
  [{ type: "chat" }, undefined],
  [{ capabilities: 7, architecture: "text" }, undefined],
  [{}, undefined],
])("a server that says %j says of images: %s", (hints, vision) => {
  expect(visionOf(ModelHints.parse(hints))).toBe(vision);
});
