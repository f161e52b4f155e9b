import { z } from "zod";
import { openAiProtocol } from "./openai-protocol.ts";
import {
  type ConfiguredProvider,
  defineProviderKind,
  MAX_FILE_BYTES,
  NONE,
  address,
  apiKey,
  keyVariable,
  modelsVariable,
} from "./provider-kind.ts";
const config = z.object({
  baseUrl: address("Address that ends before /chat/completions"),
  apiKey: apiKey.optional(),
});

/** Servers that speak OpenAI's protocol in the form that they all share. */
export const openAiCompatible = defineProviderKind({
  displayName: "OpenAI-compatible (vLLM, LiteLLM, Groq, OpenRouter…)",
  config,
  environment: z.object({
    GROQ_API_KEY: keyVariable("Groq"),
    GROQ_MODELS: modelsVariable("Groq"),
    OPENROUTER_API_KEY: keyVariable("OpenRouter"),
    OPENROUTER_MODELS: modelsVariable("OpenRouter"),
  }),
  fromEnvironment({ GROQ_API_KEY, GROQ_MODELS, OPENROUTER_API_KEY, OPENROUTER_MODELS }) {
    const providers: ConfiguredProvider[] = [];
    if (GROQ_API_KEY)
      providers.push({
        name: "groq",
        displayName: "Groq",
        config: { apiKey: GROQ_API_KEY, baseUrl: "https://api.groq.com/openai/v1" },
        models: GROQ_MODELS ?? "llama-3.3-70b-versatile",
      });
    if (OPENROUTER_API_KEY)
      providers.push({
        name: "openrouter",
        displayName: "OpenRouter",
        config: { apiKey: OPENROUTER_API_KEY, baseUrl: "https://openrouter.ai/api/v1" },
        models: OPENROUTER_MODELS ?? "openrouter/auto",
      });
    return providers;
  },
  // what a server takes is said in the catalogue. Source: OpenRouter and vLLM documentation
  files: {
    pdf: { models: NONE, maxBytes: MAX_FILE_BYTES },
    audio: { models: NONE, types: ["audio/wav", "audio/mpeg"] },
  },
  ...openAiProtocol("compatible"),
});
