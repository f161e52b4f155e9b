import { anthropic, bedrock, google, mistral } from "./ai-sdk.ts";
import type { ProviderKind } from "./contract-catalogue.ts";
import { offline } from "./offline.ts";
import { azure, ollama, openai, openAiCompatible } from "./openai/openai.ts";
import type { Provider } from "./provider.ts";

/** Who speaks with which kind of provider. */
export const providers: Record<ProviderKind, Provider> = {
  openai,
  "openai-compatible": openAiCompatible,
  azure,
  ollama,
  anthropic,
  google,
  mistral,
  bedrock,
  offline,
};
