import { Routes } from "../../platform/http/routes.ts";
import { webContract as contract } from "./contract.ts";
import { ENGINE_SETTINGS } from "./open-engines.ts";
import { readPage } from "./read-page.ts";
import type { WebSearch } from "./search-web.ts";

interface Deps {
  search: WebSearch;
  pages: Parameters<typeof readPage>[0];
}

export function webRoutes({ search, pages }: Deps): Routes {
  return new Routes()
    .on(contract.webEngines, async () => ({
      engines: await search.list(),
      settings: ENGINE_SETTINGS,
    }))
    .on(contract.testWebEngine, ({ body, signal }) => search.test(body, signal))
    .on(contract.searchWeb, ({ body, signal }) => search.search(body, signal))
    .on(contract.readWebPage, ({ body, signal }) => readPage(pages, body, signal));
}
