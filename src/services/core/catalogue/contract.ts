import { z } from "zod";
import { pageOf, pageQuery } from "../../../platform/http/page.ts";
import { route } from "../../../platform/http/route.ts";
import { ModelEntry, ProviderKind } from "../../completion/contract-catalogue.ts";
import {
  AvailableModel,
  AvailableModelChange,
  ModelChange,
  NewAvailableModel,
  NewModel,
  NewProvider,
  Provider,
  ProviderChange,
  ProviderProbe,
  ProviderTest,
  Selection,
} from "./contract-entries.ts";

/**
 * Models, providers, and which model is had from which provider. Signed-in users read,
 * administrators change. Source: requirements 1, "llm-core: models, providers, available models";
 * design "Conversation core", provider.
 */

const byId = z.object({ id: z.string().min(1).max(300) });
const byName = z.object({ name: z.string().min(1).max(64) });
const Ids = z.object({ ids: z.array(z.string().min(1).max(300)).min(1).max(100) });
const ConfigSchema = z.record(z.string(), z.unknown());
const models = "/api/v1/models";
const providers = "/api/v1/model-providers";
const available = "/api/v1/available-models";

function listOf<Item extends z.ZodType>(path: string, summary: string, item: Item) {
  return route({
    method: "get",
    path,
    access: "jwt",
    permission: "model:read",
    summary,
    query: pageQuery,
    ok: pageOf(item),
  });
}

export const modelsContract = {
  createModel: route({
    method: "post",
    path: models,
    access: "operator",
    permission: "model:administer",
    summary: "Make a model",
    body: NewModel,
    status: 201,
    ok: ModelEntry,
  }),
  listModels: listOf(models, "Enabled models", ModelEntry),
  listAllModels: listOf(`${models}/all`, "All models, with those disabled", ModelEntry),
  listCompletionModels: listOf(`${models}/completion`, "Enabled completion models", ModelEntry),
  listEmbeddingModels: listOf(`${models}/embedding`, "Enabled embedding models", ModelEntry),
  getModel: route({
    method: "get",
    path: `${models}/:id`,
    access: "jwt",
    permission: "model:read",
    summary: "One model",
    params: byId,
    ok: ModelEntry,
  }),
  changeModel: route({
    method: "patch",
    path: `${models}/:id`,
    access: "operator",
    permission: "model:administer",
    summary: "Change a model",
    params: byId,
    body: ModelChange,
    ok: ModelEntry,
  }),
  deleteModel: route({
    method: "delete",
    path: `${models}/:id`,
    access: "operator",
    permission: "model:administer",
    summary: "Delete a model with its entries at providers",
    params: byId,
  }),
};

export const providersContract = {
  createProvider: route({
    method: "post",
    path: providers,
    access: "operator",
    permission: "model:administer",
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
    permission: "model:read",
    summary: "Kinds of providers, each with the JSON Schema of its config",
    ok: z.array(
      z.object({ kind: ProviderKind, displayName: z.string(), configSchema: ConfigSchema }),
    ),
  }),
  getProvider: route({
    method: "get",
    path: `${providers}/:name`,
    access: "jwt",
    permission: "model:read",
    summary: "One provider",
    params: byName,
    ok: Provider,
  }),
  providerConfigSchema: route({
    method: "get",
    path: `${providers}/:name/config-schema`,
    access: "jwt",
    permission: "model:read",
    summary: "JSON Schema of a provider's config, or of a kind's that no provider is named like",
    params: byName,
    ok: ConfigSchema,
  }),
  testNewProvider: route({
    method: "post",
    path: `${providers}/test`,
    access: "operator",
    permission: "model:administer",
    summary: "Test the config of a provider before it is saved: ask it which models it offers",
    description:
      "Stores nothing. The config is checked as on saving (400). A provider that does not answer " +
      "as it should is a 200 with `ok: false` and the reason in `error`.",
    body: ProviderProbe,
    ok: ProviderTest,
  }),
  testProvider: route({
    method: "post",
    path: `${providers}/:name/test`,
    access: "operator",
    permission: "model:administer",
    summary: "Ask a provider what models it offers: whether address and key are right",
    params: byName,
    ok: ProviderTest,
  }),
  changeProvider: route({
    method: "patch",
    path: `${providers}/:name`,
    access: "operator",
    permission: "model:administer",
    summary: "Change a provider",
    params: byName,
    body: ProviderChange,
    ok: Provider,
  }),
  deleteProvider: route({
    method: "delete",
    path: `${providers}/:name`,
    access: "operator",
    permission: "model:administer",
    summary: "Delete a provider with its entries",
    params: byName,
  }),
};

export const availableModelsContract = {
  createAvailableModel: route({
    method: "post",
    path: available,
    access: "operator",
    permission: "model:administer",
    summary: "Say that a model is had from a provider",
    body: NewAvailableModel,
    status: 201,
    ok: AvailableModel,
  }),
  listAvailableModels: listOf(available, "Enabled entries", AvailableModel),
  listAllAvailableModels: listOf(`${available}/all`, "All entries", AvailableModel),
  listSelections: listOf(`${available}/selections`, "Entries that can answer now", Selection),
  completionSelections: listOf(
    `${available}/selections/completion`,
    "Models to choose from, the default first",
    Selection,
  ),
  embeddingSelections: listOf(
    `${available}/selections/embedding`,
    "Embedding models to choose from",
    Selection,
  ),
  validateAvailableModels: route({
    method: "post",
    path: `${available}/validate`,
    access: "jwt",
    permission: "model:read",
    summary: "Whether each id is an entry that can answer now",
    body: Ids,
    ok: z.object({
      valid: z.boolean(),
      results: z.array(
        z.object({
          id: z.string(),
          valid: z.boolean(),
          reason: z.enum(["absent", "disabled"]).optional(),
        }),
      ),
    }),
  }),
  availableModelsByIds: route({
    method: "post",
    path: `${available}/by-ids`,
    access: "jwt",
    permission: "model:read",
    summary: "Entries by their ids, in that order; those that are absent are left out",
    body: Ids,
    ok: z.array(AvailableModel),
  }),
  availableModelsOfProvider: route({
    method: "get",
    path: `${available}/provider/:providerId`,
    access: "jwt",
    permission: "model:read",
    summary: "Entries of a provider, by its name",
    params: z.object({ providerId: z.string().min(1).max(64) }),
    query: pageQuery,
    ok: pageOf(AvailableModel),
  }),
  availableModelsOfModel: route({
    method: "get",
    path: `${available}/model/:modelId`,
    access: "jwt",
    permission: "model:read",
    summary: "Entries of a model",
    params: z.object({ modelId: z.string().min(1).max(300) }),
    query: pageQuery,
    ok: pageOf(AvailableModel),
  }),
  getAvailableModel: route({
    method: "get",
    path: `${available}/:id`,
    access: "jwt",
    permission: "model:read",
    summary: "One entry",
    params: byId,
    ok: AvailableModel,
  }),
  changeAvailableModel: route({
    method: "patch",
    path: `${available}/:id`,
    access: "operator",
    permission: "model:administer",
    summary: "Change an entry",
    params: byId,
    body: AvailableModelChange,
    ok: AvailableModel,
  }),
  deleteAvailableModel: route({
    method: "delete",
    path: `${available}/:id`,
    access: "operator",
    permission: "model:administer",
    summary: "Delete an entry",
    params: byId,
  }),
};
