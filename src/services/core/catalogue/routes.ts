import type { Cache } from "../../../platform/cache/cache.ts";
import { isOperator } from "../../../platform/http/caller.ts";
import { offsetOf, type PageQuery } from "../../../platform/http/page.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { type ProviderKind, providerKinds } from "../../completion/contract-catalogue.ts";
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
import { tellCatalogueChanged } from "./choose-model.ts";
import {
  availableModelsContract as available,
  modelsContract as models,
  providersContract as providers,
} from "./contract.ts";
import { changeModel, createModel, deleteModel, findModel, listModels } from "./models.ts";
import { configSchema } from "./provider-config.ts";
import {
  changeProvider,
  createProvider,
  deleteProvider,
  findProvider,
  kindOf,
  listProviders,
  type ProviderDeps,
} from "./providers.ts";
import { listSelections } from "./store.ts";
import { testNewProvider, testProvider } from "./test-provider.ts";

interface Deps extends ProviderDeps {
  cache: Cache;
}

type Listed<Item> = Promise<{ items: Item[]; total: number }>;

async function page<Item>(query: PageQuery, list: (limit: number, offset: number) => Listed<Item>) {
  return { ...(await list(query.limit, offsetOf(query))), page: query.page, limit: query.limit };
}

export function catalogueRoutes(routes: Routes, deps: Deps): Routes {
  /** Every replica, and the completion service, reads the catalogue anew. */
  const changing = async <T>(change: Promise<T>): Promise<T> => {
    const done = await change;
    await tellCatalogueChanged(deps.cache);
    return done;
  };
  onModels(routes, deps, changing);
  onProviders(routes, deps, changing);
  onAvailableModels(routes, deps, changing);
  return routes;
}

type Changing = <T>(change: Promise<T>) => Promise<T>;

function onModels(routes: Routes, { db }: Deps, changing: Changing): void {
  const list = (filter: Parameters<typeof listModels>[1]) => (query: PageQuery) =>
    page(query, (limit, offset) => listModels(db, filter, limit, offset));
  routes
    .on(models.createModel, ({ body }) => changing(createModel(db, body)))
    .on(models.listModels, ({ query }) => list({ enabled: true })(query))
    .on(models.listAllModels, ({ query }) => list({})(query))
    .on(models.listCompletionModels, ({ query }) =>
      list({ enabled: true, kind: "completion" })(query),
    )
    .on(models.listEmbeddingModels, ({ query }) =>
      list({ enabled: true, kind: "embedding" })(query),
    )
    .on(models.getModel, ({ params }) => findModel(db, params.id))
    .on(models.changeModel, ({ params, body }) => changing(changeModel(db, params.id, body)))
    .on(models.deleteModel, ({ params }) => changing(deleteModel(db, params.id)));
}

function onProviders(routes: Routes, deps: Deps, changing: Changing): void {
  const { db } = deps;
  routes
    .on(providers.createProvider, ({ body }) => changing(createProvider(deps, body)))
    .on(providers.listProviders, ({ caller, query }) =>
      page(query, (limit, offset) =>
        listProviders(db, { enabledOnly: true, open: isOperator(caller) }, limit, offset),
      ),
    )
    .on(providers.listAllProviders, ({ caller, query }) =>
      page(query, (limit, offset) =>
        listProviders(db, { enabledOnly: false, open: isOperator(caller) }, limit, offset),
      ),
    )
    .on(providers.listProviderKinds, () =>
      (Object.keys(providerKinds) as ProviderKind[]) // keys of a constant
        .map((kind) => ({
          kind,
          displayName: providerKinds[kind].displayName,
          configSchema: configSchema(kind),
        })),
    )
    .on(providers.getProvider, ({ caller, params }) =>
      findProvider(db, params.name, isOperator(caller)),
    )
    .on(providers.providerConfigSchema, async ({ params }) =>
      configSchema(await kindOf(db, params.name)),
    )
    .on(providers.testNewProvider, ({ body, signal }) => testNewProvider(deps, body, signal))
    .on(providers.testProvider, ({ params, signal }) => testProvider(deps, params.name, signal))
    .on(providers.changeProvider, ({ params, body }) =>
      changing(changeProvider(deps, params.name, body)),
    )
    .on(providers.deleteProvider, ({ params }) => changing(deleteProvider(db, params.name)));
}

function onAvailableModels(routes: Routes, { db }: Deps, changing: Changing): void {
  const list = (query: PageQuery, filter: Filter) =>
    page(query, (limit, offset) => listAvailableModels(db, filter, limit, offset));
  const selections = (query: PageQuery, kind: "completion" | "embedding" | "any") =>
    page(query, (limit, offset) => listSelections(db, limit, offset, kind));
  routes
    .on(available.createAvailableModel, ({ body }) => changing(createAvailableModel(db, body)))
    .on(available.listAvailableModels, ({ query }) => list(query, { enabled: true }))
    .on(available.listAllAvailableModels, ({ query }) => list(query, {}))
    .on(available.listSelections, ({ query }) => selections(query, "any"))
    .on(available.completionSelections, ({ query }) => selections(query, "completion"))
    .on(available.embeddingSelections, ({ query }) => selections(query, "embedding"))
    .on(available.validateAvailableModels, ({ body }) => validateAvailableModels(db, body.ids))
    .on(available.availableModelsByIds, ({ body }) => findAvailableModels(db, body.ids))
    .on(available.availableModelsOfProvider, ({ params, query }) =>
      list(query, { providerName: params.providerId }),
    )
    .on(available.availableModelsOfModel, ({ params, query }) =>
      list(query, { modelId: params.modelId }),
    )
    .on(available.getAvailableModel, ({ params }) => findAvailableModel(db, params.id))
    .on(available.changeAvailableModel, ({ params, body }) =>
      changing(changeAvailableModel(db, params.id, body)),
    )
    .on(available.deleteAvailableModel, ({ params }) =>
      changing(deleteAvailableModel(db, params.id)),
    );
}
