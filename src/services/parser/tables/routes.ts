import type { Routes } from "../../../platform/http/routes.ts";
import { tablesContract as contract } from "./contract.ts";
import type { Tables } from "./open-tables.ts";

/** Tables of documents, for services that have checked who may see them. */
export function tableRoutes(routes: Routes, tables: Tables): Routes {
  return routes
    .on(contract.describeTables, ({ body, signal }) => tables.describe(body, signal))
    .on(contract.queryTables, ({ body, signal }) => tables.query(body, signal))
    .on(contract.exportTables, ({ body, signal }) => tables.export(body, signal));
}
