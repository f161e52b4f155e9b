import type { RouteInput } from "../../../src/platform/http/route.ts";
import {
  type Template,
  templatesContract,
  type Variable,
} from "../../../src/services/core/templates/contract.ts";
import { call } from "../api/call.ts";
import { pagedQuery } from "../shell/paged.ts";
import type { Scope } from "./routes.ts";
import { currentLanguage } from "../texts/language.ts";
import { useChange } from "../shell/use-change.ts";

export type { Template, Variable };
type NewTemplate = RouteInput<typeof templatesContract.createTemplate>["body"];
type TemplateChange = RouteInput<typeof templatesContract.changeTemplate>["body"];

const PAGE = 50;

export function templatesQuery(query: string | undefined, scope: Scope | undefined) {
  return pagedQuery({
    queryKey: ["templates", "list"],
    filter: [scope, query, currentLanguage()],
    load: (page, signal) =>
      call(
        templatesContract.listTemplates,
        {
          query: { page, limit: PAGE, query, scope, builtInLanguage: currentLanguage() },
        },
        { signal },
      ),
    keyOf: ({ id }) => id,
  });
}

export function createTemplate(body: NewTemplate) {
  return call(templatesContract.createTemplate, { body });
}

export function changeTemplate(id: string, body: TemplateChange) {
  return call(templatesContract.changeTemplate, { params: { id }, body });
}

export function deleteTemplate(id: string) {
  return call(templatesContract.deleteTemplate, { params: { id } });
}

export const TEMPLATE_KEYS = [["templates"], ["template"]];

/** Changes templates, then refreshes the affected queries. */
export function useTemplateChange<Input = void, Output = unknown>(
  run: (input: Input) => Promise<Output>,
  onDone?: (output: Output) => void,
) {
  return useChange({ run, keys: TEMPLATE_KEYS, onDone });
}
