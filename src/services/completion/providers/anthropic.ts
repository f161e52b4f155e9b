import { z } from "zod";
import { openAiModelList } from "./model-list.ts";
import type { RareOption } from "../contract-model-parameters.ts";
import {
  defineProviderKind,
  MAX_FILE_BYTES,
  address,
  apiKey,
  keyVariable,
  modelsVariable,
} from "./provider-kind.ts";
const BASE_URL = "https://api.anthropic.com/v1";
const MODELS = "claude-sonnet-4-5,claude-haiku-4-5";

const TAKES: readonly RareOption[] = ["parallelToolCalls"];

const config = z.object({ apiKey, baseUrl: address(`Default: ${BASE_URL}`).optional() });
type Config = z.output<typeof config>;

export const anthropic = defineProviderKind({
  displayName: "Anthropic",
  config,
  environment: z.object({
    ANTHROPIC_API_KEY: keyVariable("Anthropic"),
    ANTHROPIC_BASE_URL: z.url().optional().describe("Another address of Anthropic's API"),
    ANTHROPIC_MODELS: modelsVariable("Anthropic"),
  }),
  fromEnvironment({ ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL, ANTHROPIC_MODELS = MODELS }) {
    if (!ANTHROPIC_API_KEY) return [];
    const settings = { apiKey: ANTHROPIC_API_KEY, baseUrl: ANTHROPIC_BASE_URL };
    return [{ name: "anthropic", config: settings, models: ANTHROPIC_MODELS }];
  },
  modelList: ({ apiKey: key, baseUrl = BASE_URL }) =>
    openAiModelList(
      baseUrl,
      { "x-api-key": key, "anthropic-version": "2023-06-01" },
      "?limit=1000",
    ),
  // Source: Anthropic documentation, PDF support
  files: {
    pdf: {
      models: /claude-(?!instant|[12]|3-(?:opus|sonnet|haiku))/,
      maxBytes: MAX_FILE_BYTES,
    },
  },
  takes: TAKES,
  async loadClient() {
    const [{ aiSdkClient }, { withToolsAsText }, { createAnthropic }] = await Promise.all([
      import("../ai-sdk/ai-sdk-client.ts"),
      import("../tools-as-text.ts"),
      import("@ai-sdk/anthropic"),
    ]);
    const client = aiSdkClient<Config>(
      ({ apiKey: key, baseUrl: baseURL = BASE_URL }, model, fetch) =>
        createAnthropic({ apiKey: key, baseURL, fetch })(model),
      {
        needsLimit: true,
        takes: TAKES,
        cachePoint: () => ({ anthropic: { cacheControl: { type: "ephemeral" } } }),
        parallelToolCalls: (allowed) => ({
          anthropic: { disableParallelToolUse: !allowed },
        }),
      },
    );
    return withToolsAsText(client);
  },
});
