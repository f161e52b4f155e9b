import { z } from "zod";
import { MODEL_KINDS } from "../../completion/contract-model-kinds.ts";
import { pageOf, pageQuery } from "../../../platform/http/page.ts";
import { route } from "../../../platform/http/route.ts";
import { ModelEntry } from "../../completion/contract-catalogue.ts";
import { ProviderKind } from "../../completion/contract-provider-kinds.ts";
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
import { ProviderHealth } from "./contract-health.ts";

/** Models, providers and available models. Users read the catalogue, administrators change it. */

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
    changes: "model",
    summary: "Create a model",
    body: NewModel,
    status: 201,
    ok: ModelEntry,
  }),
  listModels: listOf(models, "Enabled models", ModelEntry),
  listAllModels: listOf(`${models}/all`, "All models, also disabled ones", ModelEntry),
  listCompletionModels: listOf(
    `${models}/completion`,
    "Enabled completion models",
    ModelEntry,
  ),
  listEmbeddingModels: listOf(
    `${models}/embedding`,
    "Enabled embedding models",
    ModelEntry,
  ),
  getModel: route({
    method: "get",
    path: `${models}/:id`,
    access: "jwt",
    permission: "model:read",
    summary: "Read a model",
    params: byId,
    ok: ModelEntry,
  }),
  changeModel: route({
    method: "patch",
    path: `${models}/:id`,
    access: "operator",
    permission: "model:administer",
    changes: "model/:id",
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
    changes: "model/:id",
    summary: "Delete a model and its available models",
    params: byId,
  }),
};

export const providersContract = {
  createProvider: route({
    method: "post",
    path: providers,
    access: "operator",
    permission: "model:administer",
    changes: "provider",
    summary: "Create a provider",
    body: NewProvider,
    status: 201,
    ok: Provider,
  }),
  listProviders: listOf(providers, "Enabled providers", Provider),
  listAllProviders: listOf(`${providers}/all`, "All providers", Provider),
  listProviderHealth: route({
    method: "get",
    path: `${providers}/all/health`,
    access: "operator",
    permission: "model:administer",
    summary: "Read how the calls to each provider ended in the last 24 hours",
    description: "In the order of the list of all providers. Counts are seconds old.",
    query: pageQuery,
    ok: pageOf(ProviderHealth),
  }),
  listProviderKinds: route({
    method: "get",
    path: `${providers}/kinds`,
    access: "jwt",
    permission: "model:read",
    summary: "List the kinds of providers, each with the JSON Schema of its config",
    ok: z.array(
      z.object({ kind: ProviderKind, displayName: z.string(), configSchema: ConfigSchema }),
    ),
  }),
  getProvider: route({
    method: "get",
    path: `${providers}/:name`,
    access: "jwt",
    permission: "model:read",
    summary: "Read a provider",
    params: byName,
    ok: Provider,
  }),
  providerConfigSchema: route({
    method: "get",
    path: `${providers}/:name/config-schema`,
    access: "jwt",
    permission: "model:read",
    summary:
      "Read the JSON Schema of the config of a provider, or of the kind with this name",
    params: byName,
    ok: ConfigSchema,
  }),
  testNewProvider: route({
    method: "post",
    path: `${providers}/test`,
    access: "operator",
    permission: "model:administer",
    changes: "none",
    summary:
      "Test the config of a provider before it is saved: ask it which models it offers",
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
    changes: "none",
    summary: "Test address and key of a provider: ask it which models it offers",
    params: byName,
    ok: ProviderTest,
  }),
  changeProvider: route({
    method: "patch",
    path: `${providers}/:name`,
    access: "operator",
    permission: "model:administer",
    changes: "provider/:name",
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
    changes: "provider/:name",
    summary: "Delete a provider and its available models",
    params: byName,
  }),
};

export const availableModelsContract = {
  createAvailableModel: route({
    method: "post",
    path: available,
    access: "operator",
    permission: "model:administer",
    changes: "model",
    summary: "Add a model of a provider to the available models",
    body: NewAvailableModel,
    status: 201,
    ok: AvailableModel,
  }),
  listAvailableModels: listOf(available, "Enabled available models", AvailableModel),
  listAllAvailableModels: route({
    method: "get",
    path: `${available}/all`,
    access: "jwt",
    permission: "model:read",
    summary: "List all available models",
    query: pageQuery.extend({
      query: z
        .string()
        .max(200)
        .optional()
        .describe("Part of the name or of the provider's name"),
    }),
    ok: pageOf(AvailableModel),
  }),
  listSelections: listOf(
    `${available}/selections`,
    "Available models that can answer now",
    Selection,
  ),
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
  usableKinds: route({
    method: "get",
    path: `${available}/selections/kinds`,
    access: "jwt",
    permission: "model:read",
    summary: "List the kinds of models of which you may use one",
    ok: z.object({ kinds: z.array(z.enum(MODEL_KINDS)) }),
  }),
  validateAvailableModels: route({
    method: "post",
    path: `${available}/validate`,
    access: "jwt",
    permission: "model:read",
    changes: "none",
    summary: "Check whether each available model can answer now",
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
    changes: "none",
    summary: "Read available models in the order of these ids; unknown ids are left out",
    body: Ids,
    ok: z.array(AvailableModel),
  }),
  availableModelsOfProvider: route({
    method: "get",
    path: `${available}/provider/:providerId`,
    access: "jwt",
    permission: "model:read",
    summary: "List the available models of a provider, by its name",
    params: z.object({ providerId: z.string().min(1).max(64) }),
    query: pageQuery,
    ok: pageOf(AvailableModel),
  }),
  availableModelsOfModel: route({
    method: "get",
    path: `${available}/model/:modelId`,
    access: "jwt",
    permission: "model:read",
    summary: "List the available models of a model",
    params: z.object({ modelId: z.string().min(1).max(300) }),
    query: pageQuery,
    ok: pageOf(AvailableModel),
  }),
  getAvailableModel: route({
    method: "get",
    path: `${available}/:id`,
    access: "jwt",
    permission: "model:read",
    summary: "Read an available model",
    params: byId,
    ok: AvailableModel,
  }),
  changeAvailableModel: route({
    method: "patch",
    path: `${available}/:id`,
    access: "operator",
    permission: "model:administer",
    changes: "model/:id",
    summary: "Change an available model",
    params: byId,
    body: AvailableModelChange,
    ok: AvailableModel,
  }),
  deleteAvailableModel: route({
    method: "delete",
    path: `${available}/:id`,
    access: "operator",
    permission: "model:administer",
    changes: "model/:id",
    summary: "Delete an available model",
    params: byId,
  }),
};
