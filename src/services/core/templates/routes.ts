import type { Database } from "../../../platform/db/database.ts";
import { offsetOf } from "../../../platform/http/page.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { templatesContract as contract } from "./contract.ts";
import {
  changeTemplate,
  createTemplate,
  deleteTemplate,
  fillTemplate,
  readTemplate,
} from "./manage-templates.ts";
import { findTemplates, listTemplates } from "./store.ts";

export function templateRoutes(routes: Routes, { db }: { db: Database }): void {
  routes
    .on(contract.listTemplates, async ({ query: { page, limit, ...filter } }) => ({
      ...(await listTemplates(db, filter, limit, offsetOf({ page, limit }))),
      page,
      limit,
    }))
    .on(contract.enabledTemplates, async ({ query: { page, limit, ...filter } }) => ({
      ...(await listTemplates(db, { ...filter, enabled: true }, limit, offsetOf({ page, limit }))),
      page,
      limit,
    }))
    .on(contract.templatesByIds, ({ body }) => findTemplates(db, body.ids))
    .on(contract.getTemplate, ({ params }) => readTemplate(db, params.id))
    .on(contract.fillTemplate, async ({ params, body }) => ({
      text: fillTemplate(await readTemplate(db, params.id), body.values),
    }))
    .on(contract.createTemplate, ({ body }) => createTemplate(db, body))
    .on(contract.changeTemplate, ({ params, body }) => changeTemplate(db, params.id, body))
    .on(contract.deleteTemplate, ({ params }) => deleteTemplate(db, params.id));
}
