import { slicePage } from "../../../platform/http/page.ts";
import { json } from "../../../platform/http/respond.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { searchEnginesContract as contract, storedEnginesContract } from "./contract.ts";
import {
  addSearchEngine,
  changeSearchEngine,
  deleteSearchEngine,
  type EngineDeps,
  listEngineKinds,
  listSearchEngines,
  orderSearchEngines,
  readStoredSearchEngines,
  testNewSearchEngine,
  testSearchEngine,
} from "./search-engines.ts";

const NO_STORE = { "cache-control": "no-store" };

export function searchEngineRoutes(routes: Routes, deps: EngineDeps): Routes {
  return routes
    .on(contract.listSearchEngines, async ({ query, signal }) =>
      slicePage(query, await listSearchEngines(deps, signal)),
    )
    .on(contract.listSearchEngineKinds, listEngineKinds)
    .on(contract.createSearchEngine, ({ body }) => addSearchEngine(deps, body))
    .on(contract.testNewSearchEngine, ({ body, signal }) =>
      testNewSearchEngine(deps, body, signal),
    )
    .on(contract.orderSearchEngines, ({ body }) => orderSearchEngines(deps, body.ids))
    .on(contract.changeSearchEngine, ({ params, body }) =>
      changeSearchEngine(deps, params.id, body),
    )
    .on(contract.deleteSearchEngine, ({ params }) => deleteSearchEngine(deps, params.id))
    .on(contract.testSearchEngine, ({ params, body, signal }) =>
      testSearchEngine(deps, params.id, body.query, signal),
    )
    .on(storedEnginesContract.storedSearchEngines, async () =>
      json(await readStoredSearchEngines(deps), 200, NO_STORE),
    );
}
