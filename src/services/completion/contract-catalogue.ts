import { z } from "zod";

/**
 * Kinds of providers: what each needs to be reached, and which of that is secret. The core makes
 * forms and checks from it.
 */

const baseUrl = (what: string) => z.url({ protocol: /^https?$/ }).describe(what);
const apiKey = z.string().min(1).max(4_000).describe("API key").meta({ secret: true });

export const providerKinds = {
  openai: {
    displayName: "OpenAI",
    config: z.object({ apiKey, baseUrl: baseUrl("Default: https://api.openai.com/v1").optional() }),
  },
  "openai-compatible": {
    displayName: "OpenAI-compatible (vLLM, LiteLLM, Groq, OpenRouter…)",
    config: z.object({
      baseUrl: baseUrl("Address that ends before /chat/completions"),
      apiKey: apiKey.optional(),
    }),
  },
  anthropic: {
    displayName: "Anthropic",
    config: z.object({
      apiKey,
      baseUrl: baseUrl("Default: https://api.anthropic.com/v1").optional(),
    }),
  },
  google: {
    displayName: "Google Gemini",
    config: z.object({
      apiKey,
      baseUrl: baseUrl("Default: https://generativelanguage.googleapis.com/v1beta").optional(),
    }),
  },
  mistral: {
    displayName: "Mistral",
    config: z.object({ apiKey, baseUrl: baseUrl("Default: https://api.mistral.ai/v1").optional() }),
  },
  azure: {
    displayName: "Azure OpenAI",
    config: z.object({
      apiKey,
      endpoint: baseUrl("https://NAME.openai.azure.com"),
      apiVersion: z.string().default("2024-10-21").describe("API version"),
    }),
  },
  bedrock: {
    displayName: "Amazon Bedrock",
    config: z.object({
      region: z.string().min(1).describe("AWS region"),
      accessKeyId: z.string().min(1).describe("Access key id").meta({ secret: true }),
      secretAccessKey: z.string().min(1).describe("Secret access key").meta({ secret: true }),
      sessionToken: z.string().optional().describe("Session token").meta({ secret: true }),
      baseUrl: baseUrl("Another endpoint, such as a VPC's").optional(),
    }),
  },
  ollama: {
    displayName: "Ollama",
    config: z.object({ baseUrl: baseUrl("Default: http://127.0.0.1:11434").optional() }),
  },
  offline: { displayName: "Built-in offline model", config: z.object({}) },
} as const;

export const ProviderKind = z.enum(Object.keys(providerKinds) as [keyof typeof providerKinds]); // keys of a constant, at least one
export type ProviderKind = z.output<typeof ProviderKind>;

/** Names of the fields of a provider's config that are secret. */
export function secretFields(kind: ProviderKind): string[] {
  const shape: Record<string, z.ZodType> = providerKinds[kind].config.shape;
  return Object.keys(shape).filter((field) => isSecret(shape[field]));
}

function isSecret(schema: z.ZodType | undefined): boolean {
  if (schema === undefined) return false;
  return (
    schema.meta()?.["secret"] === true ||
    (schema instanceof z.ZodOptional && isSecret(schema.unwrap() as z.ZodType))
  ); // of a zod schema
}

export const ProviderEntry = z.object({
  name: z
    .string()
    .max(64)
    .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, "lower-case letters, digits, dots, dashes; no slash"),
  displayName: z.string().max(200),
  kind: ProviderKind,
  enabled: z.boolean(),
  /**
   * Checked against the kind's schema where it is used; secrets may read `{configured: true}` for
   * callers without the secret.
   */
  config: z.record(z.string(), z.unknown()),
});
export type ProviderEntry = z.output<typeof ProviderEntry>;

export const ModelEntry = z.object({
  id: z.string(),
  name: z.string().min(1).max(200),
  kind: z.enum(["completion", "embedding"]),
  contextWindow: z.number().int().positive().optional(),
  maxOutputTokens: z.number().int().positive().optional(),
  dimensions: z.number().int().positive().optional(),
  capabilities: z.object({ tools: z.boolean(), vision: z.boolean(), reasoning: z.boolean() }),
  enabled: z.boolean(),
});
export type ModelEntry = z.output<typeof ModelEntry>;

export const Pricing = z.object({
  inputPerMillion: z.number().min(0).max(1e9).describe("Price of a million input tokens"),
  outputPerMillion: z.number().min(0).max(1e9).describe("Price of a million output tokens"),
  cachedInputPerMillion: z.number().min(0).max(1e9).optional(),
  currency: z.string().length(3).default("USD"),
});
export type Pricing = z.output<typeof Pricing>;

export const AvailableModelEntry = z.object({
  id: z.string(),
  modelId: z.string(),
  providerName: z.string(),
  providerModelId: z.string().min(1).max(300).describe("The model's name at the provider"),
  displayName: z.string().max(200),
  enabled: z.boolean(),
  pricing: Pricing.optional(),
});
export type AvailableModelEntry = z.output<typeof AvailableModelEntry>;

/** The channel of the cache on which the core tells that its catalogue changed. */
export const CATALOGUE_CHANGED = "catalogue-changed";

/** What `GET /services-config/models-providers` answers. */
export const ModelsProviders = z.object({
  providers: z.array(ProviderEntry),
  models: z.array(ModelEntry),
  availableModels: z.array(AvailableModelEntry),
});
export type ModelsProviders = z.output<typeof ModelsProviders>;
