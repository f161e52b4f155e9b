import { z } from "zod";
import { pageOf, pageQuery } from "../../../platform/http/page.ts";
import { route } from "../../../platform/http/route.ts";
import { AvailableModelEntry, ModelEntry, Pricing, ProviderEntry, ProviderKind } from "../../completion/contract-catalogue.ts";

/**
 * Models, providers, and which model is had from which provider. Signed-in users read, administrators change.
 * Source: requirements 1, "llm-core: models, providers, available models"; design "Conversation core", provider.
 */

const Name = z.string().trim().min(1).max(200);
const EntryId = z
  .string()
  .regex(/^[\w@.:+-][\w@.:+/-]{0,299}$/, "letters, digits, and . _ : + @ / -")
  .describe("Absent: one is made");
const byId = z.object({ id: z.string().min(1).max(300) });
const byName = z.object({ name: z.string().min(1).max(64) });
const Ids = z.object({ ids: z.array(z.string().min(1).max(300)).min(1).max(100) });

const RESERVED = ["all", "kinds"];
const OwnKind = ProviderKind.exclude(["offline"]);

export const NewModel = z.object({
  id: EntryId.optional(),
  name: Name,
  kind: ModelEntry.shape.kind,
  contextWindow: z.number().int().min(1).max(100_000_000).optional().describe("Tokens"),
  maxOutputTokens: z.number().int().min(1).max(100_000_000).optional(),
  dimensions: z.number().int().min(1).max(100_000).optional().describe("Of an embedding"),
  capabilities: z
    .object({ tools: z.boolean().default(false), vision: z.boolean().default(false), reasoning: z.boolean().default(false) })
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
    capabilities: ModelEntry.shape.capabilities.partial(),
    enabled: z.boolean(),
  })
  .partial();
export type ModelChange = z.output<typeof ModelChange>;

export const Provider = ProviderEntry.extend({
  config: z.record(z.string(), z.unknown()).describe("Secrets read •••; for administrators alone"),
  available: z.boolean().describe("false: made from the environment, which does not name its key any more"),
  fromEnvironment: z.boolean(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Provider = z.output<typeof Provider>;
const Config = z.record(z.string().max(100), z.unknown()).describe("As the kind's config-schema says");
export const NewProvider = z.object({
  name: ProviderEntry.shape.name.refine((name) => !RESERVED.includes(name), "this name is reserved"),
  displayName: Name.optional(),
  kind: OwnKind,
  enabled: z.boolean().default(true),
  config: Config.default({}),
});
export type NewProvider = z.output<typeof NewProvider>;
export const ProviderChange = z
  .object({
    displayName: Name,
    enabled: z.boolean(),
    config: Config.describe("The whole one. A secret sent as ••• stays, as long as the address stays"),
  })
  .partial();
export type ProviderChange = z.output<typeof ProviderChange>;

export const AvailableModel = AvailableModelEntry.extend({
  position: z.number().int().describe("The first usable completion model in this order is the default"),
  fromEnvironment: z.boolean(),
});
export type AvailableModel = z.output<typeof AvailableModel>;
const Position = z.number().int().min(0).max(1_000_000_000);
export const NewAvailableModel = z.object({
  id: EntryId.optional(),
  modelId: z.string().min(1).max(300),
  providerName: z.string().min(1).max(64),
  providerModelId: z.string().trim().min(1).max(300),
  displayName: Name.optional().describe("Absent: the model's name"),
  enabled: z.boolean().default(true),
  pricing: Pricing.optional(),
  position: Position.optional().describe("Absent: last"),
});
export type NewAvailableModel = z.output<typeof NewAvailableModel>;
export const AvailableModelChange = z
  .object({
    providerModelId: NewAvailableModel.shape.providerModelId,
    displayName: Name,
    enabled: z.boolean(),
    pricing: Pricing.nullable(),
    position: Position,
  })
  .partial();
export type AvailableModelChange = z.output<typeof AvailableModelChange>;

/** An entry that can answer now, with what one chooses by. */
export const Selection = AvailableModelEntry.extend({
  kind: ModelEntry.shape.kind,
  contextWindow: z.number().int().optional(),
  maxOutputTokens: z.number().int().optional(),
  dimensions: z.number().int().optional(),
  capabilities: ModelEntry.shape.capabilities,
});
export type Selection = z.output<typeof Selection>;

export const ProviderTest = z.object({
  ok: z.boolean(),
  latencyMs: z.number(),
  error: z.object({ code: z.string(), error: z.string() }).optional(),
  models: z
    .array(
      z.object({ providerModelId: z.string(), displayName: z.string(), added: z.boolean().describe("It is in the catalogue") }),
    )
    .describe("What the provider offers, to be added"),
});
export type ProviderTest = z.output<typeof ProviderTest>;

const ConfigSchema = z.record(z.string(), z.unknown());
const models = "/api/v1/models";
const providers = "/api/v1/model-providers";
const available = "/api/v1/available-models";

function listOf<Item extends z.ZodType>(path: string, summary: string, item: Item) {
  return route({ method: "get", path, access: "jwt", summary, query: pageQuery, ok: pageOf(item) });
}

export const modelsContract = {
  createModel: route({
    method: "post",
    path: models,
    access: "admin",
    summary: "Make a model",
    body: NewModel,
    status: 201,
    ok: ModelEntry,
  }),
  listModels: listOf(models, "Enabled models", ModelEntry),
  listAllModels: listOf(`${models}/all`, "All models, with those disabled", ModelEntry),
  listCompletionModels: listOf(`${models}/completion`, "Enabled completion models", ModelEntry),
  listEmbeddingModels: listOf(`${models}/embedding`, "Enabled embedding models", ModelEntry),
  getModel: route({ method: "get", path: `${models}/:id`, access: "jwt", summary: "One model", params: byId, ok: ModelEntry }),
  changeModel: route({
    method: "patch",
    path: `${models}/:id`,
    access: "admin",
    summary: "Change a model",
    params: byId,
    body: ModelChange,
    ok: ModelEntry,
  }),
  deleteModel: route({
    method: "delete",
    path: `${models}/:id`,
    access: "admin",
    summary: "Delete a model with its entries at providers",
    params: byId,
  }),
};

export const providersContract = {
  createProvider: route({
    method: "post",
    path: providers,
    access: "admin",
    summary: "Make a provider",
    body: NewProvider,
    status: 201,
    ok: Provider,
  }),
  listProviders: listOf(providers, "Enabled providers", Provider),
  listAllProviders: listOf(`${providers}/all`, "All providers", Provider),
  listProviderKinds: route({
    method: "get",
    path: `${providers}/kinds`,
    access: "jwt",
    summary: "Kinds of providers, each with the JSON Schema of its config",
    ok: z.array(z.object({ kind: ProviderKind, displayName: z.string(), configSchema: ConfigSchema })),
  }),
  getProvider: route({
    method: "get",
    path: `${providers}/:name`,
    access: "jwt",
    summary: "One provider",
    params: byName,
    ok: Provider,
  }),
  providerConfigSchema: route({
    method: "get",
    path: `${providers}/:name/config-schema`,
    access: "jwt",
    summary: "JSON Schema of a provider's config, or of a kind's that no provider is named like",
    params: byName,
    ok: ConfigSchema,
  }),
  testProvider: route({
    method: "post",
    path: `${providers}/:name/test`,
    access: "admin",
    summary: "Ask a provider what models it offers: whether address and key are right",
    params: byName,
    ok: ProviderTest,
  }),
  changeProvider: route({
    method: "patch",
    path: `${providers}/:name`,
    access: "admin",
    summary: "Change a provider",
    params: byName,
    body: ProviderChange,
    ok: Provider,
  }),
  deleteProvider: route({
    method: "delete",
    path: `${providers}/:name`,
    access: "admin",
    summary: "Delete a provider with its entries",
    params: byName,
  }),
};

export const availableModelsContract = {
  createAvailableModel: route({
    method: "post",
    path: available,
    access: "admin",
    summary: "Say that a model is had from a provider",
    body: NewAvailableModel,
    status: 201,
    ok: AvailableModel,
  }),
  listAvailableModels: listOf(available, "Enabled entries", AvailableModel),
  listAllAvailableModels: listOf(`${available}/all`, "All entries", AvailableModel),
  listSelections: listOf(`${available}/selections`, "Entries that can answer now", Selection),
  completionSelections: listOf(`${available}/selections/completion`, "Models to choose from, the default first", Selection),
  embeddingSelections: listOf(`${available}/selections/embedding`, "Embedding models to choose from", Selection),
  validateAvailableModels: route({
    method: "post",
    path: `${available}/validate`,
    access: "jwt",
    summary: "Whether each id is an entry that can answer now",
    body: Ids,
    ok: z.object({
      valid: z.boolean(),
      results: z.array(z.object({ id: z.string(), valid: z.boolean(), reason: z.enum(["absent", "disabled"]).optional() })),
    }),
  }),
  availableModelsByIds: route({
    method: "post",
    path: `${available}/by-ids`,
    access: "jwt",
    summary: "Entries by their ids, in that order; those that are absent are left out",
    body: Ids,
    ok: z.array(AvailableModel),
  }),
  availableModelsOfProvider: route({
    method: "get",
    path: `${available}/provider/:providerId`,
    access: "jwt",
    summary: "Entries of a provider, by its name",
    params: z.object({ providerId: z.string().min(1).max(64) }),
    query: pageQuery,
    ok: pageOf(AvailableModel),
  }),
  availableModelsOfModel: route({
    method: "get",
    path: `${available}/model/:modelId`,
    access: "jwt",
    summary: "Entries of a model",
    params: z.object({ modelId: z.string().min(1).max(300) }),
    query: pageQuery,
    ok: pageOf(AvailableModel),
  }),
  getAvailableModel: route({
    method: "get",
    path: `${available}/:id`,
    access: "jwt",
    summary: "One entry",
    params: byId,
    ok: AvailableModel,
  }),
  changeAvailableModel: route({
    method: "patch",
    path: `${available}/:id`,
    access: "admin",
    summary: "Change an entry",
    params: byId,
    body: AvailableModelChange,
    ok: AvailableModel,
  }),
  deleteAvailableModel: route({
    method: "delete",
    path: `${available}/:id`,
    access: "admin",
    summary: "Delete an entry",
    params: byId,
  }),
};
