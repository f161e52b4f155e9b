import { anthropic } from "./anthropic.ts";
import { azure } from "./azure.ts";
import { bedrock } from "./bedrock.ts";
import { deepseek } from "./deepseek.ts";
import type { Dialect } from "./dialect.ts";
import { geminiOpenAi } from "./gemini-openai.ts";
import { gemini } from "./gemini.ts";
import { groq } from "./groq.ts";
import { litellm } from "./litellm.ts";
import { llamaCpp } from "./llama-cpp.ts";
import { lmStudio } from "./lm-studio.ts";
import { mistral } from "./mistral.ts";
import { ollama } from "./ollama.ts";
import { openrouter } from "./openrouter.ts";
import { vllm } from "./vllm.ts";

export const DIALECTS: Record<string, Dialect> = {
  Ollama: ollama,
  vLLM: vllm,
  "llama.cpp": llamaCpp,
  "LM Studio": lmStudio,
  LiteLLM: litellm,
  OpenRouter: openrouter,
  "Azure OpenAI": azure,
  "Gemini by OpenAI's protocol": geminiOpenAi,
  Mistral: mistral,
  DeepSeek: deepseek,
  Groq: groq,
  Anthropic: anthropic,
  Gemini: gemini,
  "Amazon Bedrock": bedrock,
};
