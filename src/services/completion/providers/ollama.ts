import { z } from "zod";
import { ModelList } from "./model-list.ts";
import { withoutTrailingSlash } from "./addresses.ts";
import { openAiMedia } from "./media-endpoint.ts";
import { defineProviderKind, address } from "./provider-kind.ts";
const BASE_URL = "http://127.0.0.1:11434";

const config = z.object({ baseUrl: address(`Default: ${BASE_URL}`).optional() });
type Config = z.output<typeof config>;

/** Source: Ollama documentation, OpenAI compatibility. Images are taken as bytes only. */
export const ollama = defineProviderKind({
  displayName: "Ollama",
  config,
  environment: z.object({
    OLLAMA_BASE_URL: z
      .url()
      .optional()
      .describe(
        "Address of Ollama; a private one must be in OUTGOING_ALLOW or allowed by an administrator",
      ),
    OLLAMA_MODELS: z.string().optional().describe("Models of Ollama, comma-separated"),
  }),
  fromEnvironment({ OLLAMA_BASE_URL: baseUrl, OLLAMA_MODELS: models }) {
    if (!baseUrl) return [];
    const listsModels = !models;
    return [
      { name: "ollama", config: { baseUrl }, models: models ?? "llama3.2", listsModels },
    ];
  },
  modelList: ({ baseUrl = BASE_URL }) => ({
    url: `${withoutTrailingSlash(baseUrl)}/api/tags`,
    headers: {},
    answer: ModelList,
  }),
  embeddings: ({ baseUrl = BASE_URL }) => ({
    protocol: "ollama",
    url: `${withoutTrailingSlash(baseUrl)}/api/embed`,
    headers: {},
  }),
  // it continues texts, and does nothing else by OpenAI's API
  media: ({ baseUrl = BASE_URL }) =>
    openAiMedia(`${withoutTrailingSlash(baseUrl)}/v1`, {}, { paths: ["/completions"] }),
  async loadClient() {
    const [{ openAiClient }, { withImages }] = await Promise.all([
      import("../openai-client/openai-client.ts"),
      import("../fetch-images.ts"),
    ]);
    const client = openAiClient<Config>(({ baseUrl = BASE_URL }) => ({
      url: `${withoutTrailingSlash(baseUrl)}/v1/chat/completions`,
      headers: {},
      dialect: "compatible",
    }));
    return withImages(client);
  },
});
