import { z } from "zod";
import { bearer } from "./addresses.ts";
import { openAiProtocol } from "./openai-protocol.ts";
import { openAiMedia, MEDIA_PATHS } from "./media-endpoint.ts";
import {
  defineProviderKind,
  MAX_FILE_BYTES,
  address,
  apiKey,
  keyVariable,
  modelsVariable,
} from "./provider-kind.ts";
const BASE_URL = "https://api.openai.com/v1";
const MODELS = "gpt-5.1,gpt-5-mini";
/** Models that continue texts. Source: OpenAI API reference, completions. */
const CONTINUING =
  /^(?:gpt-3\.5-turbo-instruct|davinci-002|babbage-002|ft:(?:davinci|babbage)-002)/;

/** Source: OpenAI guides, file inputs and audio. */
const files = {
  pdf: {
    // models that see, but for those that hear
    models:
      /^(?:gpt-4o(?!.*audio)|gpt-4\.[1-9]|gpt-[5-9]|chatgpt-|o[1-9](?!-mini)|o4-mini)/,
    maxBytes: MAX_FILE_BYTES,
  },
  audio: { models: /^gpt-(?:4o(?:-mini)?-)?audio/, types: ["audio/wav", "audio/mpeg"] },
};

const config = z.object({ apiKey, baseUrl: address(`Default: ${BASE_URL}`).optional() });

/** OpenAI itself; other servers that speak its protocol are `openai-compatible`. */
export const openai = defineProviderKind({
  displayName: "OpenAI",
  config,
  environment: z.object({
    OPENAI_API_KEY: keyVariable("OpenAI"),
    OPENAI_BASE_URL: z
      .url()
      .optional()
      .describe(
        "Another address that speaks OpenAI's protocol; a provider without a key too. " +
          "It is asked for its models, unless OPENAI_MODELS names them",
      ),
    OPENAI_MODELS: modelsVariable("OpenAI"),
  }),
  fromEnvironment({
    OPENAI_API_KEY: key,
    OPENAI_BASE_URL: baseUrl,
    OPENAI_MODELS: models,
  }) {
    const listsModels = baseUrl !== undefined && !models;
    if (key !== undefined) {
      const settings = { apiKey: key, baseUrl };
      return [{ name: "openai", config: settings, models: models ?? MODELS, listsModels }];
    }
    if (baseUrl === undefined) return [];
    // servers of one's own need no key
    return [
      {
        name: "openai",
        displayName: "OpenAI-compatible",
        kind: "openai-compatible",
        config: { baseUrl },
        models: models ?? "",
        listsModels,
      },
    ];
  },
  files,
  ...openAiProtocol("openai", BASE_URL),
  media({ apiKey: key, baseUrl = BASE_URL }, model) {
    // its other models chat, and would refuse each time
    const isContinuing = baseUrl !== BASE_URL || CONTINUING.test(model);
    const paths = MEDIA_PATHS.filter((path) => path !== "/completions" || isContinuing);
    return openAiMedia(baseUrl, bearer(key), { paths });
  },
});
