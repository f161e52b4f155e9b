import { userOf } from "../../../platform/http/caller.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import type { Workers } from "../../../platform/workers/workers.ts";
import { comparePage } from "./compare-page.ts";
import { pagesContract } from "./contract.ts";
import type { Web } from "./web-client.ts";

interface Deps {
  web?: Web | undefined;
  workers: Workers;
}

export function pageRoutes(routes: Routes, deps: Deps): Routes {
  return routes.on(pagesContract.compareWebPage, ({ caller, body, signal }) =>
    comparePage(deps, userOf(caller).userId, body, signal),
  );
}
