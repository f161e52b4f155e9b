import { z } from "zod";
import type {
  AvailableModelEntry,
  ModelEntry,
  ModelsProviders,
  ProviderEntry,
  ProviderKind,
} from "./contract-catalogue.ts";

const key = (of: string) =>
  z
    .string()
    .min(1)
    .optional()
    .describe(`API key of ${of}; makes it a provider`)
    .meta({ secret: true });
const models = (of: string) =>
  z.string().optional().describe(`Models of ${of}, comma-separated, instead of the usual ones`);

/**
 * Provider keys as their own tools name them. The completion service reads them when there is no
 * catalogue, the core to fill it at first.
 */
export const providerEnvironment = z.object({
  OPENAI_API_KEY: key("OpenAI"),
  OPENAI_BASE_URL: z
    .url()
    .optional()
    .describe(
      "Another address that speaks OpenAI's protocol; a provider without a key too. It is asked for its models, unless OPENAI_MODELS names them",
    ),
  OPENAI_MODELS: models("OpenAI"),
  ANTHROPIC_API_KEY: key("Anthropic"),
  ANTHROPIC_BASE_URL: z.url().optional().describe("Another address of Anthropic's API"),
  ANTHROPIC_MODELS: models("Anthropic"),
  GOOGLE_GENERATIVE_AI_API_KEY: key("Google Gemini"),
  GOOGLE_MODELS: models("Google Gemini"),
  MISTRAL_API_KEY: key("Mistral"),
  MISTRAL_MODELS: models("Mistral"),
  GROQ_API_KEY: key("Groq"),
  GROQ_MODELS: models("Groq"),
  OPENROUTER_API_KEY: key("OpenRouter"),
  OPENROUTER_MODELS: models("OpenRouter"),
  AZURE_OPENAI_API_KEY: key("Azure OpenAI"),
  AZURE_OPENAI_ENDPOINT: z.url().optional().describe("Endpoint of Azure OpenAI"),
  AZURE_OPENAI_DEPLOYMENTS: z
    .string()
    .optional()
    .describe("Deployments of Azure OpenAI, comma-separated"),
  AWS_ACCESS_KEY_ID: z
    .string()
    .optional()
    .describe("Access key id of Amazon Bedrock")
    .meta({ secret: true }),
  AWS_SECRET_ACCESS_KEY: z
    .string()
    .optional()
    .describe("Secret key of Amazon Bedrock")
    .meta({ secret: true }),
  AWS_SESSION_TOKEN: z
    .string()
    .optional()
    .describe("Session token of Amazon Bedrock")
    .meta({ secret: true }),
  AWS_REGION: z.string().optional().describe("Region of Amazon Bedrock"),
  BEDROCK_MODELS: models("Amazon Bedrock"),
  OLLAMA_BASE_URL: z
    .url()
    .optional()
    .describe("Address of Ollama; allow it in OUTGOING_ALLOW when it is private"),
  OLLAMA_MODELS: z.string().optional().describe("Models of Ollama, comma-separated"),
});
export type ProviderEnvironment = z.output<typeof providerEnvironment>;

export const OFFLINE_MODEL = "offline/parlance-offline";

interface Source {
  name: string;
  displayName: string;
  kind: ProviderKind;
  config: Record<string, unknown>;
  models: readonly string[];
}

/**
 * Each provider that the environment names, with its models; and always the offline model, last.
 */
export function providersFromEnvironment(env: ProviderEnvironment): ModelsProviders {
  const sources = [
    ...configured(env),
    {
      name: "offline",
      displayName: "Built-in offline model",
      kind: "offline",
      config: {},
      models: ["parlance-offline"],
    } satisfies Source,
  ];
  const providers = sources.map(({ models: _, ...rest }): ProviderEntry => ({
    ...rest,
    enabled: true,
  }));
  const entries = sources.flatMap((source) => source.models.map((model) => entryOf(source, model)));
  return {
    providers,
    models: entries.map(({ model }) => model),
    availableModels: entries.map(({ available }) => available),
  };
}

function entryOf(
  { name, kind }: Source,
  model: string,
): { model: ModelEntry; available: AvailableModelEntry } {
  const id = `${name}/${model}`;
  const displayName = kind === "offline" ? "Offline (no language model)" : model;
  return {
    model: {
      id,
      name: displayName,
      kind: "completion",
      capabilities: { tools: true, vision: kind !== "offline", reasoning: false },
      enabled: true,
    },
    available: {
      id,
      modelId: id,
      providerName: name,
      providerModelId: model,
      displayName,
      enabled: true,
    },
  };
}

function configured(env: ProviderEnvironment): Source[] {
  const sources: (Source | undefined)[] = [
    openAi(env),
    keyed(
      "anthropic",
      "Anthropic",
      "anthropic",
      env.ANTHROPIC_API_KEY,
      env.ANTHROPIC_MODELS ?? "claude-sonnet-4-5,claude-haiku-4-5",
      { baseUrl: env.ANTHROPIC_BASE_URL },
    ),
    keyed(
      "google",
      "Google Gemini",
      "google",
      env.GOOGLE_GENERATIVE_AI_API_KEY,
      env.GOOGLE_MODELS ?? "gemini-2.5-pro,gemini-2.5-flash",
      {},
    ),
    keyed(
      "mistral",
      "Mistral",
      "mistral",
      env.MISTRAL_API_KEY,
      env.MISTRAL_MODELS ?? "mistral-large-latest,mistral-small-latest",
      {},
    ),
    keyed(
      "groq",
      "Groq",
      "openai-compatible",
      env.GROQ_API_KEY,
      env.GROQ_MODELS ?? "llama-3.3-70b-versatile",
      {
        baseUrl: "https://api.groq.com/openai/v1",
      },
    ),
    keyed(
      "openrouter",
      "OpenRouter",
      "openai-compatible",
      env.OPENROUTER_API_KEY,
      env.OPENROUTER_MODELS ?? "openrouter/auto",
      {
        baseUrl: "https://openrouter.ai/api/v1",
      },
    ),
    env.AZURE_OPENAI_ENDPOINT
      ? keyed(
          "azure",
          "Azure OpenAI",
          "azure",
          env.AZURE_OPENAI_API_KEY,
          env.AZURE_OPENAI_DEPLOYMENTS ?? "",
          {
            endpoint: env.AZURE_OPENAI_ENDPOINT,
          },
        )
      : undefined,
    env.AWS_ACCESS_KEY_ID && env.AWS_SECRET_ACCESS_KEY && env.AWS_REGION
      ? {
          name: "bedrock",
          displayName: "Amazon Bedrock",
          kind: "bedrock",
          config: present({
            accessKeyId: env.AWS_ACCESS_KEY_ID,
            secretAccessKey: env.AWS_SECRET_ACCESS_KEY,
            sessionToken: env.AWS_SESSION_TOKEN,
            region: env.AWS_REGION,
          }),
          models: names(env.BEDROCK_MODELS ?? "anthropic.claude-sonnet-4-5-20250929-v1:0"),
        }
      : undefined,
    env.OLLAMA_BASE_URL
      ? {
          name: "ollama",
          displayName: "Ollama",
          kind: "ollama",
          config: { baseUrl: env.OLLAMA_BASE_URL },
          models: names(env.OLLAMA_MODELS ?? "llama3.2"),
        }
      : undefined,
  ];
  return sources.filter((source) => source !== undefined);
}

/** Providers that are asked for their models, since nothing else names them. */
export function providersToList(env: ProviderEnvironment): string[] {
  return [
    ...(env.OPENAI_BASE_URL && !env.OPENAI_MODELS ? ["openai"] : []),
    ...(env.OLLAMA_BASE_URL && !env.OLLAMA_MODELS ? ["ollama"] : []),
  ];
}

/** Servers of one's own that speak OpenAI's protocol need no key. */
function openAi(env: ProviderEnvironment): Source | undefined {
  const { OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODELS } = env;
  if (OPENAI_API_KEY !== undefined) {
    const models = OPENAI_MODELS ?? "gpt-5.1,gpt-5-mini";
    const config = { baseUrl: OPENAI_BASE_URL };
    return keyed("openai", "OpenAI", "openai", OPENAI_API_KEY, models, config);
  }
  if (OPENAI_BASE_URL === undefined) return undefined;
  const config = { baseUrl: OPENAI_BASE_URL };
  return {
    name: "openai",
    displayName: "OpenAI-compatible",
    kind: "openai-compatible",
    config,
    models: names(OPENAI_MODELS ?? ""),
  };
}

function keyed(
  name: string,
  displayName: string,
  kind: ProviderKind,
  apiKey: string | undefined,
  list: string,
  config: Record<string, unknown>,
): Source | undefined {
  return apiKey === undefined
    ? undefined
    : { name, displayName, kind, config: present({ apiKey, ...config }), models: names(list) };
}

function names(list: string): string[] {
  return list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

function present(config: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
}
