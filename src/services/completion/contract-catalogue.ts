import { z } from "zod";
import { DefaultParameters } from "./contract-model-parameters.ts";
import { MODEL_KINDS } from "./contract-model-kinds.ts";
import { ProviderKind } from "./contract-provider-kinds.ts";

/** The catalogue of providers and models, which the core stores for the completion service. */

export const ProviderEntry = z.object({
  name: z
    .string()
    .max(64)
    .regex(
      /^[a-z0-9][a-z0-9._-]{0,63}$/,
      "lower-case letters, digits, dots, underscores and dashes",
    ),
  displayName: z.string().max(200),
  kind: ProviderKind,
  enabled: z.boolean(),
  /**
   * Checked against the schema of the kind before use. Callers without the service secret get
   * `{configured: true}` in place of secrets.
   */
  config: z.record(z.string(), z.unknown()),
});
export type ProviderEntry = z.output<typeof ProviderEntry>;

export const ModelEntry = z.object({
  id: z.string(),
  name: z.string().min(1).max(200),
  kind: z.enum(MODEL_KINDS),
  contextWindow: z.number().int().positive().optional(),
  maxOutputTokens: z.number().int().positive().optional(),
  dimensions: z.number().int().positive().optional(),
  queryPrefix: z.string().optional().describe("Absent: what the name of the model says"),
  passagePrefix: z.string().optional().describe("Absent: what the name of the model says"),
  capabilities: z.object({
    tools: z.boolean(),
    vision: z.boolean(),
    reasoning: z.boolean(),
    documents: z
      .boolean()
      .optional()
      .describe("Whether it reads PDFs as they are; absent: what its name says"),
    audio: z
      .boolean()
      .optional()
      .describe("Whether it hears recordings; absent: what its name says"),
    visionAssumed: z
      .boolean()
      .optional()
      .describe("Neither its provider nor a person said whether it has `vision`"),
  }),
  enabled: z.boolean(),
});
export type ModelEntry = z.output<typeof ModelEntry>;

export const Pricing = z.object({
  inputPerMillion: z.number().min(0).max(1e9).describe("Price of a million input tokens"),
  outputPerMillion: z.number().min(0).max(1e9).describe("Price of a million output tokens"),
  cachedInputPerMillion: z
    .number()
    .min(0)
    .max(1e9)
    .optional()
    .describe("Of input that the provider had in its cache; absent: as of other input"),
  cacheWriteInputPerMillion: z
    .number()
    .min(0)
    .max(1e9)
    .optional()
    .describe("Of input that the provider puts into its cache; absent: as of other input"),
  perImage: z.number().min(0).max(1e6).optional().describe("Of each image that is made"),
  perMinute: z
    .number()
    .min(0)
    .max(1e6)
    .optional()
    .describe("Of each minute of a recording"),
  perMillionCharacters: z
    .number()
    .min(0)
    .max(1e9)
    .optional()
    .describe("Of a million characters that are spoken or judged"),
  currency: z.string().length(3).default("USD"),
});
export type Pricing = z.output<typeof Pricing>;

/** Of one model. */
export const MAX_FALLBACKS = 5;

const Weight = z
  .number()
  .int()
  .min(1)
  .max(100)
  .default(1)
  .describe("One of weight 2 gets twice as much as one of weight 1");

/** Several endpoints of one model. */
export const LoadSharing = z.object({
  by: z
    .enum(["weight", "least_busy"])
    .describe(
      "Conversations are spread by weight, or each begins where the fewest requests run for the " +
        "weight. Each stays where it began, while that answers",
    ),
  weight: Weight,
  with: z
    .array(z.object({ id: z.string().min(1).max(300), weight: Weight }))
    .min(1)
    .max(MAX_FALLBACKS)
    .describe("Those of its fallbacks that are the same model elsewhere"),
});
export type LoadSharing = z.output<typeof LoadSharing>;

export const AvailableModelEntry = z.object({
  id: z.string(),
  modelId: z.string(),
  providerName: z.string(),
  providerModelId: z.string().min(1).max(300).describe("The model's name at the provider"),
  displayName: z.string().max(200),
  enabled: z.boolean(),
  pricing: Pricing.optional(),
  fallbacks: z
    .array(z.string().min(1).max(300))
    .max(MAX_FALLBACKS)
    .optional()
    .describe(
      "Ids of available models that answer in its place, in this order, when it fails before its " +
        "first token",
    ),
  parameters: DefaultParameters.optional().describe(
    "What holds where neither a request nor its agent says it",
  ),
  loadSharing: LoadSharing.optional().describe(
    "Absent: its fallbacks answer only when it fails",
  ),
});
export type AvailableModelEntry = z.output<typeof AvailableModelEntry>;

/** The channel of the cache on which the core announces changes of the catalogue. */
export const CATALOGUE_CHANGED = "catalogue-changed";

/** The answer of `GET /services-config/models-providers`. */
export const ModelsProviders = z.object({
  providers: z.array(ProviderEntry),
  models: z.array(ModelEntry),
  availableModels: z.array(AvailableModelEntry),
});
export type ModelsProviders = z.output<typeof ModelsProviders>;
