import { z } from "zod";
import { openAiEmbeddings } from "./embedding-endpoint.ts";
import { openAiModelList } from "./model-list.ts";
import { openAiMedia, MEDIA_PATHS } from "./media-endpoint.ts";
import { withoutTrailingSlash } from "./addresses.ts";
import {
  defineProviderKind,
  address,
  apiKey,
  keyVariable,
  MAX_FILE_BYTES,
  NONE,
} from "./provider-kind.ts";
const config = z.object({
  apiKey,
  endpoint: address("https://NAME.openai.azure.com"),
  apiVersion: z.string().default("2024-10-21").describe("API version"),
});
type Config = z.output<typeof config>;

/** Source: Azure OpenAI REST reference, chat completions. A model is named by its deployment. */
export const azure = defineProviderKind({
  displayName: "Azure OpenAI",
  config,
  environment: z.object({
    AZURE_OPENAI_API_KEY: keyVariable("Azure OpenAI"),
    AZURE_OPENAI_ENDPOINT: z.url().optional().describe("Endpoint of Azure OpenAI"),
    AZURE_OPENAI_DEPLOYMENTS: z
      .string()
      .optional()
      .describe("Deployments of Azure OpenAI, comma-separated"),
  }),
  fromEnvironment({
    AZURE_OPENAI_API_KEY,
    AZURE_OPENAI_ENDPOINT,
    AZURE_OPENAI_DEPLOYMENTS,
  }) {
    if (!AZURE_OPENAI_API_KEY || !AZURE_OPENAI_ENDPOINT) return [];
    const settings = { apiKey: AZURE_OPENAI_API_KEY, endpoint: AZURE_OPENAI_ENDPOINT };
    return [{ name: "azure", config: settings, models: AZURE_OPENAI_DEPLOYMENTS ?? "" }];
  },
  modelList: ({ apiKey: key, endpoint, apiVersion }) =>
    openAiModelList(
      `${withoutTrailingSlash(endpoint)}/openai`,
      { "api-key": key },
      `?api-version=${encodeURIComponent(apiVersion)}`,
    ),
  embeddings: ({ apiKey: key, endpoint, apiVersion }, model) =>
    openAiEmbeddings(
      `${withoutTrailingSlash(endpoint)}/openai/deployments/${encodeURIComponent(model)}`,
      { "api-key": key },
      `?api-version=${encodeURIComponent(apiVersion)}`,
    ),
  media: ({ apiKey: key, endpoint, apiVersion }, model) =>
    openAiMedia(
      `${withoutTrailingSlash(endpoint)}/openai/deployments/${encodeURIComponent(model)}`,
      { "api-key": key },
      {
        query: `?api-version=${encodeURIComponent(apiVersion)}`,
        // deployments have no route of moderation
        paths: MEDIA_PATHS.filter((path) => path !== "/moderations"),
      },
    ),
  // a deployment has any name: the catalogue says what its model takes
  files: {
    pdf: { models: NONE, maxBytes: MAX_FILE_BYTES },
    audio: { models: NONE, types: ["audio/wav", "audio/mpeg"] },
  },
  async loadClient() {
    const { openAiClient } = await import("../openai-client/openai-client.ts");
    return openAiClient<Config>(({ apiKey: key, endpoint, apiVersion }, model) => {
      const deployment = `openai/deployments/${encodeURIComponent(model)}`;
      const query = `api-version=${encodeURIComponent(apiVersion)}`;
      return {
        url: `${withoutTrailingSlash(endpoint)}/${deployment}/chat/completions?${query}`,
        headers: { "api-key": key },
        dialect: "openai",
      };
    });
  },
});
