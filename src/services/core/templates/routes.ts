import { userOf } from "../../../platform/http/caller.ts";
import { offsetOf } from "../../../platform/http/page.ts";
import type { Routes } from "../../../platform/http/routes.ts";
import { lockTokenOf } from "../editing-locks.ts";
import { type TemplateDeps, templateFor, toVisibleTemplates } from "./access.ts";
import { templatesContract as contract } from "./contract.ts";
import {
  changeTemplate,
  createTemplate,
  deleteTemplate,
  fillTemplate,
  listVisibleTemplates,
} from "./manage-templates.ts";
import { findTemplates } from "./store.ts";

export function templateRoutes(routes: Routes, deps: TemplateDeps): void {
  routes
    .on(contract.listTemplates, async ({ caller, query: { page, limit, ...filter } }) => {
      const offset = offsetOf({ page, limit });
      const found = await listVisibleTemplates(deps, userOf(caller), filter, limit, offset);
      return { ...found, page, limit };
    })
    .on(
      contract.enabledTemplates,
      async ({ caller, query: { page, limit, ...filter } }) => {
        const offset = offsetOf({ page, limit });
        const enabled = { ...filter, enabled: true };
        const found = await listVisibleTemplates(
          deps,
          userOf(caller),
          enabled,
          limit,
          offset,
        );
        return { ...found, page, limit };
      },
    )
    .on(contract.templatesByIds, async ({ caller, body }) =>
      toVisibleTemplates(deps, userOf(caller), await findTemplates(deps.db, body.ids)),
    )
    .on(contract.getTemplate, ({ caller, params }) =>
      templateFor(deps, userOf(caller), params.id, "viewer"),
    )
    .on(contract.fillTemplate, async ({ caller, params, body }) => {
      const template = await templateFor(deps, userOf(caller), params.id, "viewer");
      return { text: fillTemplate(template, body.values) };
    })
    .on(contract.createTemplate, ({ caller, body }) =>
      createTemplate(deps, userOf(caller), body),
    )
    .on(contract.changeTemplate, ({ caller, params, body, request }) =>
      changeTemplate(deps, userOf(caller), params.id, body, lockTokenOf(request)),
    )
    .on(contract.deleteTemplate, ({ caller, params, request }) =>
      deleteTemplate(deps, userOf(caller), params.id, lockTokenOf(request)),
    );
}
