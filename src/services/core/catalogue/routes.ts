import type { Cache } from "../../../platform/cache/cache.ts";
import { userOf } from "../../../platform/http/caller.ts";
import { operates } from "../../../platform/http/guard.ts";
import { type PageQuery, readPage } from "../../../platform/http/page.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import type { Endpoints } from "../../../platform/outgoing/outgoing.ts";
import { PROVIDER_KINDS, providerKinds } from "../../completion/contract-provider-kinds.ts";
import {
  allowAddress,
  listAllowedAddresses,
  readAllowedAddresses,
  revokeAddress,
} from "./allowed-addresses.ts";
import {
  changeAvailableModel,
  createAvailableModel,
  deleteAvailableModel,
  type Filter,
  findAvailableModel,
  findAvailableModels,
  listAvailableModels,
  validateAvailableModels,
} from "./available-models.ts";
import { announceCatalogueChange } from "./choose-model.ts";
import type { PermittedUse } from "../permitted-use.ts";
import { addressesContract as addresses } from "./contract-addresses.ts";
import {
  availableModelsContract as available,
  modelsContract as models,
  providersContract as providers,
} from "./contract.ts";
import { findLocalServers } from "./find-local-servers.ts";
import { changeModel, createModel, deleteModel, findModel, listModels } from "./models.ts";
import { describeProviderConfig } from "./provider-config.ts";
import { listProviderHealth } from "./provider-health.ts";
import {
  changeProvider,
  createProvider,
  deleteProvider,
  findProvider,
  findKind,
  listProviders,
  type ProviderDeps,
} from "./providers.ts";
import { listSelections } from "./store.ts";
import { testNewProvider, testProvider } from "./test-provider.ts";

interface Deps extends ProviderDeps {
  cache: Cache;
  endpoints: Endpoints;
  use: Pick<PermittedUse, "listModels">;
}

export function catalogueRoutes(routes: Routes, deps: Deps): Routes {
  /** Makes every replica and the completion service read the catalogue again. */
  const announced = async <T>(change: Promise<T>): Promise<T> => {
    const result = await change;
    await announceCatalogueChange(deps.cache);
    return result;
  };
  onModels(routes, deps, announced);
  onProviders(routes, deps, announced);
  onAvailableModels(routes, deps, announced);
  onAddresses(routes, deps);
  return routes;
}

type Announced = <T>(change: Promise<T>) => Promise<T>;

function onModels(routes: Routes, { db }: Deps, announced: Announced): void {
  const list = (filter: Parameters<typeof listModels>[1]) => (query: PageQuery) =>
    readPage(query, (limit, offset) => listModels(db, filter, limit, offset));
  routes
    .on(models.createModel, ({ body }) => announced(createModel(db, body)))
    .on(models.listModels, ({ query }) => list({ enabled: true })(query))
    .on(models.listAllModels, ({ query }) => list({})(query))
    .on(models.listCompletionModels, ({ query }) =>
      list({ enabled: true, kind: "completion" })(query),
    )
    .on(models.listEmbeddingModels, ({ query }) =>
      list({ enabled: true, kind: "embedding" })(query),
    )
    .on(models.getModel, ({ params }) => findModel(db, params.id))
    .on(models.changeModel, ({ params, body }) =>
      announced(changeModel(db, params.id, body)),
    )
    .on(models.deleteModel, ({ params }) => announced(deleteModel(db, params.id)));
}

function onProviders(routes: Routes, deps: Deps, announced: Announced): void {
  const { db } = deps;
  routes
    .on(providers.createProvider, ({ body }) => announced(createProvider(deps, body)))
    .on(providers.listProviders, ({ caller, query }) =>
      readPage(query, (limit, offset) =>
        listProviders(
          db,
          { enabledOnly: true, withConfig: operates(caller, "model:administer") },
          limit,
          offset,
        ),
      ),
    )
    .on(providers.listAllProviders, ({ caller, query }) =>
      readPage(query, (limit, offset) =>
        listProviders(
          db,
          { enabledOnly: false, withConfig: operates(caller, "model:administer") },
          limit,
          offset,
        ),
      ),
    )
    .on(providers.listProviderHealth, ({ query }) =>
      readPage(query, (limit, offset) => listProviderHealth(db, limit, offset)),
    )
    .on(providers.listProviderKinds, () =>
      PROVIDER_KINDS.map((kind) => {
        const { displayName } = providerKinds[kind];
        return { kind, displayName, configSchema: describeProviderConfig(kind) };
      }),
    )
    .on(providers.getProvider, ({ caller, params }) =>
      findProvider(db, params.name, operates(caller, "model:administer")),
    )
    .on(providers.providerConfigSchema, async ({ params }) =>
      describeProviderConfig(await findKind(db, params.name)),
    )
    .on(providers.testNewProvider, ({ body, signal }) =>
      testNewProvider(deps, body, signal),
    )
    .on(providers.testProvider, ({ params, signal }) =>
      testProvider(deps, params.name, signal),
    )
    .on(providers.changeProvider, ({ params, body }) =>
      announced(changeProvider(deps, params.name, body)),
    )
    .on(providers.deleteProvider, ({ params }) =>
      announced(deleteProvider(db, params.name)),
    );
}

function onAddresses(routes: Routes, deps: Deps): void {
  const { db, endpoints } = deps;
  routes
    .on(addresses.readAllowedAddresses, () => readAllowedAddresses(db))
    .on(addresses.listAllowedAddresses, ({ query }) =>
      readPage(query, (limit, offset) => listAllowedAddresses(db, limit, offset)),
    )
    .on(addresses.allowAddress, ({ body, caller }) =>
      allowAddress(deps, body.address, userOf(caller).userId),
    )
    .on(addresses.revokeAddress, ({ params }) => revokeAddress(deps, params.address))
    .on(addresses.findLocalServers, async ({ signal }) => ({
      items: await findLocalServers(endpoints, signal),
    }));
}

function onAvailableModels(routes: Routes, { db, use }: Deps, announced: Announced): void {
  const list = (query: PageQuery, filter: Filter) =>
    readPage(query, (limit, offset) => listAvailableModels(db, filter, limit, offset));
  const selections = (query: PageQuery, kind: "completion" | "embedding" | "any") =>
    readPage(query, (limit, offset) => listSelections(db, limit, offset, kind));
  routes
    .on(available.createAvailableModel, ({ body }) =>
      announced(createAvailableModel(db, body)),
    )
    .on(available.listAvailableModels, ({ query }) => list(query, { enabled: true }))
    .on(available.listAllAvailableModels, ({ query }) =>
      list(query, { words: query.query }),
    )
    .on(available.listSelections, ({ query }) => selections(query, "any"))
    .on(available.completionSelections, ({ query }) => selections(query, "completion"))
    .on(available.embeddingSelections, ({ query }) => selections(query, "embedding"))
    .on(available.usableKinds, async ({ caller }) => {
      const models = await use.listModels(userOf(caller), "any");
      return { kinds: [...new Set(models.map(({ kind }) => kind))] };
    })
    .on(available.validateAvailableModels, ({ body }) =>
      validateAvailableModels(db, body.ids),
    )
    .on(available.availableModelsByIds, ({ body }) => findAvailableModels(db, body.ids))
    .on(available.availableModelsOfProvider, ({ params, query }) =>
      list(query, { providerName: params.providerId }),
    )
    .on(available.availableModelsOfModel, ({ params, query }) =>
      list(query, { modelId: params.modelId }),
    )
    .on(available.getAvailableModel, ({ params }) => findAvailableModel(db, params.id))
    .on(available.changeAvailableModel, ({ params, body }) =>
      announced(changeAvailableModel(db, params.id, body)),
    )
    .on(available.deleteAvailableModel, ({ params }) =>
      announced(deleteAvailableModel(db, params.id)),
    );
}
