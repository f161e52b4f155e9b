import { attachment } from "../../../platform/http/attachment.ts";
import { userOf } from "../../../platform/http/caller.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { tablesContract as contract } from "./contract.ts";
import { type Tables, tablesUnavailable } from "./tables-client.ts";

/** So that spreadsheets read the file as UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";

export function tableRoutes(
  routes: Routes,
  { tables }: { tables?: Tables | undefined },
): Routes {
  return routes.on(contract.exportTable, async ({ caller, body, signal }) => {
    if (!tables) throw tablesUnavailable();
    const scope = { userId: userOf(caller).userId, docIds: body.documentIds };
    const csv = await tables.export(scope, body.sql, signal);
    return attachment(BYTE_ORDER_MARK + csv, {
      fileName: "rows.csv",
      mime: "text/csv; charset=utf-8",
    });
  });
}
