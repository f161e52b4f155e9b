import { z } from "zod";
import { openAiEmbeddings } from "./embedding-endpoint.ts";
import { openAiModelList } from "./model-list.ts";
import { openAiMedia } from "./media-endpoint.ts";
import { bearer } from "./addresses.ts";
import type { RareOption } from "../contract-model-parameters.ts";
import {
  defineProviderKind,
  MAX_FILE_BYTES,
  address,
  apiKey,
  keyVariable,
  modelsVariable,
} from "./provider-kind.ts";
const BASE_URL = "https://api.mistral.ai/v1";

const TAKES: readonly RareOption[] = [
  "frequencyPenalty",
  "presencePenalty",
  "seed",
  "parallelToolCalls",
];

const config = z.object({ apiKey, baseUrl: address(`Default: ${BASE_URL}`).optional() });
type Config = z.output<typeof config>;

export const mistral = defineProviderKind({
  displayName: "Mistral",
  config,
  environment: z.object({
    MISTRAL_API_KEY: keyVariable("Mistral"),
    MISTRAL_MODELS: modelsVariable("Mistral"),
  }),
  fromEnvironment({ MISTRAL_API_KEY: key, MISTRAL_MODELS: models }) {
    if (!key) return [];
    const settings = { apiKey: key };
    return [
      {
        name: "mistral",
        config: settings,
        models: models ?? "mistral-large-latest,mistral-small-latest",
      },
    ];
  },
  modelList: ({ apiKey: key, baseUrl = BASE_URL }) => openAiModelList(baseUrl, bearer(key)),
  embeddings: ({ apiKey: key, baseUrl = BASE_URL }) =>
    openAiEmbeddings(baseUrl, bearer(key)),
  media: ({ apiKey: key, baseUrl = BASE_URL }, model) => ({
    ...openAiMedia(baseUrl, bearer(key), { paths: ["/audio/transcriptions"] }),
    async translate(path, content) {
      const { translateForMistral } = await import("../media/translate-mistral.ts");
      return translateForMistral({ baseUrl, model }, path, content);
    },
  }),
  // Source: Mistral documentation, document understanding
  files: {
    pdf: {
      models: /^(?:mistral-(?:small|medium|large)|pixtral|ministral|magistral)/,
      maxBytes: MAX_FILE_BYTES,
    },
  },
  takes: TAKES,
  async loadClient() {
    const [{ aiSdkClient }, { createMistral }] = await Promise.all([
      import("../ai-sdk/ai-sdk-client.ts"),
      import("@ai-sdk/mistral"),
    ]);
    return aiSdkClient<Config>(
      ({ apiKey: key, baseUrl: baseURL = BASE_URL }, model, fetch) =>
        createMistral({ apiKey: key, baseURL, fetch })(model),
      {
        takes: TAKES,
        parallelToolCalls: (allowed) => ({ mistral: { parallelToolCalls: allowed } }),
      },
    );
  },
});
