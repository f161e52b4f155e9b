import type { Dialect } from "../openai-client/request-body.ts";
import { openAiEmbeddings } from "./embedding-endpoint.ts";
import { openAiModelList } from "./model-list.ts";
import { bearer, withoutTrailingSlash } from "./addresses.ts";
import { openAiMedia } from "./media-endpoint.ts";

interface Config {
  baseUrl?: string | undefined;
  apiKey?: string | undefined;
}

/** The list of models, the embeddings and the client of servers that speak OpenAI's protocol. */
export function openAiProtocol(dialect: Dialect, defaultBaseUrl = "") {
  return {
    modelList: ({ apiKey, baseUrl = defaultBaseUrl }: Config) =>
      openAiModelList(baseUrl, bearer(apiKey)),
    embeddings: ({ apiKey, baseUrl = defaultBaseUrl }: Config) =>
      openAiEmbeddings(baseUrl, bearer(apiKey)),
    media: ({ apiKey, baseUrl = defaultBaseUrl }: Config) =>
      openAiMedia(baseUrl, bearer(apiKey)),
    async loadClient() {
      const { openAiClient } = await import("../openai-client/openai-client.ts");
      return openAiClient<Config>(({ apiKey, baseUrl = defaultBaseUrl }) => ({
        url: `${withoutTrailingSlash(baseUrl)}/chat/completions`,
        headers: bearer(apiKey),
        dialect,
      }));
    },
  };
}
