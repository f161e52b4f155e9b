import { z } from "zod";
import { openAiEmbeddings } from "./embedding-endpoint.ts";
import { ModelList } from "./model-list.ts";
import { bearer, withoutTrailingSlash } from "./addresses.ts";
import type { RareOption } from "../contract-model-parameters.ts";
import {
  defineProviderKind,
  MAX_FILE_BYTES,
  address,
  apiKey,
  keyVariable,
  modelsVariable,
} from "./provider-kind.ts";
const BASE_URL = "https://generativelanguage.googleapis.com/v1beta";

/** It lists models as resources: `models/gemini-2.5-pro`. */
const GeminiList = ModelList.transform((models) =>
  models.map(({ providerModelId, displayName, ...model }) => ({
    ...model,
    providerModelId: providerModelId.replace(/^models\//, ""),
    displayName: displayName.replace(/^models\//, ""),
  })),
);

const TAKES: readonly RareOption[] = ["frequencyPenalty", "presencePenalty", "seed"];

const config = z.object({ apiKey, baseUrl: address(`Default: ${BASE_URL}`).optional() });
type Config = z.output<typeof config>;

export const google = defineProviderKind({
  displayName: "Google Gemini",
  config,
  environment: z.object({
    GOOGLE_GENERATIVE_AI_API_KEY: keyVariable("Google Gemini"),
    GOOGLE_MODELS: modelsVariable("Google Gemini"),
  }),
  fromEnvironment({ GOOGLE_GENERATIVE_AI_API_KEY: key, GOOGLE_MODELS: models }) {
    if (!key) return [];
    const settings = { apiKey: key };
    return [
      {
        name: "google",
        config: settings,
        models: models ?? "gemini-2.5-pro,gemini-2.5-flash",
      },
    ];
  },
  modelList: ({ apiKey: key, baseUrl = BASE_URL }) => ({
    url: `${withoutTrailingSlash(baseUrl)}/models?pageSize=1000`,
    headers: { "x-goog-api-key": key },
    answer: GeminiList,
  }),
  // Gemini API documentation, OpenAI compatibility
  embeddings: ({ apiKey: key, baseUrl = BASE_URL }) =>
    openAiEmbeddings(`${withoutTrailingSlash(baseUrl)}/openai`, bearer(key)),
  media: ({ apiKey: key, baseUrl = BASE_URL }, model) => ({
    url: () => undefined,
    headers: { "x-goog-api-key": key },
    async translate(path, content) {
      const { translateForGoogle } = await import("../media/translate-google.ts");
      return translateForGoogle({ baseUrl, model }, path, content);
    },
  }),
  // Source: Gemini API documentation, document and audio understanding
  files: {
    pdf: { models: /^gemini-(?!1\.0|embedding)/, maxBytes: MAX_FILE_BYTES },
    audio: {
      models: /^gemini-(?!1\.0|embedding)/,
      types: [
        "audio/wav",
        "audio/mpeg",
        "audio/aiff",
        "audio/aac",
        "audio/ogg",
        "audio/flac",
      ],
    },
  },
  takes: TAKES,
  async loadClient() {
    const [{ aiSdkClient }, { withImages }, { createGoogleGenerativeAI }] =
      await Promise.all([
        import("../ai-sdk/ai-sdk-client.ts"),
        import("../fetch-images.ts"),
        import("@ai-sdk/google"),
      ]);
    const client = aiSdkClient<Config>(
      ({ apiKey: key, baseUrl: baseURL = BASE_URL }, model, fetch) =>
        createGoogleGenerativeAI({ apiKey: key, baseURL, fetch })(model),
      { takes: TAKES },
    );
    return withImages(client);
  },
});
