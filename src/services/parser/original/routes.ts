import type { Routes } from "../../../platform/http/routes.ts";
import { DRAW_PAGE, FIND_WORDS } from "../reading/file-tasks.ts";
import { originalContract as contract } from "./contract.ts";
import { createPageReader, type PageReaderDeps } from "./page-reader.ts";

/** Pages as they look, for services that have checked who may see the file. */
export function originalRoutes(routes: Routes, deps: PageReaderDeps): Routes {
  const onPage = createPageReader(deps);
  return routes
    .on(contract.readOriginalPage, ({ body, signal }) => onPage(body, signal, FIND_WORDS))
    .on(contract.drawOriginalPage, async ({ body, signal }) => {
      const png = await onPage(body, signal, DRAW_PAGE);
      return new Response(new Uint8Array(png), {
        headers: { "content-type": "image/png" },
      });
    });
}
