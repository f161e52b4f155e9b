import { z } from "zod";
import { jsonObject } from "../../../platform/http/bounds.ts";
import { ReportedError } from "../../../platform/http/reported-error.ts";
import {
  AvailableModelEntry,
  LoadSharing,
  MAX_FALLBACKS,
  ModelEntry,
  Pricing,
  ProviderEntry,
} from "../../completion/contract-catalogue.ts";
import { DefaultParameters } from "../../completion/contract-model-parameters.ts";
import { MODEL_KINDS } from "../../completion/contract-model-kinds.ts";
import { ProviderKind } from "../../completion/contract-provider-kinds.ts";

/** Entries of the catalogue, in requests and in answers. */

const Name = z.string().trim().min(1).max(200);
const EntryId = z
  .string()
  .max(300)
  .regex(/^[\w@.:+-][\w@.:+/-]{0,299}$/, "letters, digits, and . _ : + @ / -")
  .describe("Default: a new id");

const RESERVED = ["all", "kinds"];
/** The built-in kind has exactly one provider. */
const ConfigurableKind = ProviderKind.exclude(["offline"]);

export const NewModel = z.object({
  id: EntryId.optional(),
  name: Name,
  kind: ModelEntry.shape.kind,
  contextWindow: z.number().int().min(1).max(100_000_000).optional().describe("Tokens"),
  maxOutputTokens: z.number().int().min(1).max(100_000_000).optional(),
  dimensions: z
    .number()
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe("Dimensions of its embeddings"),
  queryPrefix: z
    .string()
    .max(500)
    .optional()
    .describe("What an embedding model wants before a question; default: by its name"),
  passagePrefix: z
    .string()
    .max(500)
    .optional()
    .describe("The same before a passage; counts for texts that are embedded later"),
  capabilities: z
    .strictObject({
      tools: z.boolean().default(false),
      vision: z
        .boolean()
        .nullish()
        .describe(
          "Whether it reads images. Absent or null: not known, so that images are sent to it",
        ),
      reasoning: z.boolean().default(false),
      documents: ModelEntry.shape.capabilities.shape.documents,
      audio: ModelEntry.shape.capabilities.shape.audio,
      visionAssumed: ModelEntry.shape.capabilities.shape.visionAssumed,
    })
    .prefault({}),
  enabled: z.boolean().default(true),
});
export type NewModel = z.output<typeof NewModel>;
export const ModelChange = z
  .object({
    name: Name,
    contextWindow: NewModel.shape.contextWindow.unwrap().nullable(),
    maxOutputTokens: NewModel.shape.maxOutputTokens.unwrap().nullable(),
    dimensions: NewModel.shape.dimensions.unwrap().nullable(),
    queryPrefix: NewModel.shape.queryPrefix.unwrap().nullable(),
    passagePrefix: NewModel.shape.passagePrefix.unwrap().nullable(),
    capabilities: ModelEntry.shape.capabilities
      .omit({ visionAssumed: true })
      .extend({
        vision: z
          .boolean()
          .nullable()
          .describe("null: not known, so that images are sent to it"),
        documents: z.boolean().nullable().describe("null: what its name says"),
        audio: z.boolean().nullable().describe("null: what its name says"),
      })
      .partial()
      .strict(),
    enabled: z.boolean(),
  })
  .partial();
export type ModelChange = z.output<typeof ModelChange>;

export const Provider = ProviderEntry.extend({
  config: z
    .record(z.string(), z.unknown())
    .describe("Secrets read as •••; empty for users who are not administrators"),
  available: z.boolean().describe("false: its key is no longer in the environment"),
  fromEnvironment: z.boolean(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Provider = z.output<typeof Provider>;
const Config = jsonObject(100).describe("Must match the config schema of the kind");
export const NewProvider = z.object({
  name: ProviderEntry.shape.name.refine(
    (name) => !RESERVED.includes(name),
    "this name is reserved",
  ),
  displayName: Name.optional(),
  kind: ConfigurableKind,
  enabled: z.boolean().default(true),
  config: Config.default({}),
});
export type NewProvider = z.output<typeof NewProvider>;
/** A provider to test before it is saved. */
export const ProviderProbe = NewProvider.pick({ kind: true, config: true }).extend({
  name: z
    .string()
    .max(64)
    .optional()
    .describe("A saved provider of this kind, whose secrets replace those sent as •••"),
});
export type ProviderProbe = z.output<typeof ProviderProbe>;
export const ProviderChange = z
  .object({
    displayName: Name,
    enabled: z.boolean(),
    config: Config.describe(
      "The whole config. A secret sent as ••• stays, if the address stays",
    ),
  })
  .partial();
export type ProviderChange = z.output<typeof ProviderChange>;

export const AvailableModel = AvailableModelEntry.extend({
  position: z
    .number()
    .int()
    .describe("The first usable completion model in this order is the default"),
  fromEnvironment: z.boolean(),
  kind: ModelEntry.shape.kind,
  usable: z
    .boolean()
    .describe(
      "It can answer now: it is offered, and it, its model and its provider are enabled",
    ),
});
export type AvailableModel = z.output<typeof AvailableModel>;
const Position = z
  .number()
  .int()
  .min(0)
  .max(1_000_000_000)
  .describe("The entry at this position and all after it move one position down");
// an unknown field may be a misspelt one
const NewPricing = Pricing.strict();
const NewParameters = DefaultParameters.strict();
const NewLoadSharing = LoadSharing.extend({
  with: LoadSharing.shape.with.element.strict().array().min(1).max(MAX_FALLBACKS),
}).strict();
export const NewAvailableModel = z.object({
  id: EntryId.optional(),
  modelId: z.string().min(1).max(300),
  providerName: z.string().min(1).max(64),
  providerModelId: z.string().trim().min(1).max(300),
  displayName: Name.optional().describe("Default: the name of the model"),
  enabled: z.boolean().default(true),
  pricing: NewPricing.optional(),
  position: Position.optional(),
  fallbacks: AvailableModelEntry.shape.fallbacks,
  loadSharing: NewLoadSharing.optional().describe(
    "Absent: its fallbacks answer only when it fails",
  ),
  parameters: NewParameters.optional().describe(
    "What holds where neither a request nor its agent says it",
  ),
});
export type NewAvailableModel = z.output<typeof NewAvailableModel>;
export const AvailableModelChange = z
  .object({
    providerModelId: NewAvailableModel.shape.providerModelId,
    displayName: Name,
    enabled: z.boolean(),
    pricing: NewPricing.nullable(),
    position: Position,
    fallbacks: AvailableModelEntry.shape.fallbacks.unwrap(),
    parameters: NewParameters.describe("All of them; {}: as its provider does"),
    loadSharing: NewLoadSharing.nullable().describe(
      "null: its fallbacks answer only when it fails",
    ),
  })
  .partial();
export type AvailableModelChange = z.output<typeof AvailableModelChange>;

/** An entry that can answer now, with the properties by which users choose. */
export const Selection = AvailableModelEntry.extend({
  kind: ModelEntry.shape.kind,
  contextWindow: z.number().int().optional(),
  maxOutputTokens: z.number().int().optional(),
  dimensions: z.number().int().optional(),
  capabilities: ModelEntry.shape.capabilities,
  providerDisplayName: ProviderEntry.shape.displayName,
  providerKind: ProviderEntry.shape.kind,
});
export type Selection = z.output<typeof Selection>;

export const ProviderTest = z.object({
  ok: z.boolean(),
  latencyMs: z.number(),
  error: ReportedError.optional(),
  models: z
    .array(
      z.object({
        providerModelId: z.string(),
        displayName: z.string(),
        added: z.boolean().describe("Whether it is in the catalogue"),
        kind: z.enum([...MODEL_KINDS, "rerank", "other"]),
        contextWindow: z
          .number()
          .int()
          .optional()
          .describe("Tokens, where the provider says so"),
        vision: z
          .boolean()
          .optional()
          .describe("Whether it reads images, where the provider says so"),
      }),
    )
    .describe("The models that the provider offers"),
});
export type ProviderTest = z.output<typeof ProviderTest>;
