import { textOf } from "../../ui/form-dialog.tsx";
import { readPrice } from "./price-fields.tsx";
import type {
  AvailableModel,
  AvailableModelChange,
  Model,
  ModelChange,
} from "./queries.ts";

export const CAPABILITIES = ["tools", "vision", "reasoning"] as const;

/** What a person sets of a model and of its offer. */
export type ModelValues = Pick<AvailableModelChange, "displayName" | "pricing"> &
  ModelChange;

/** What is stored, as the form gives it back when nothing is changed. */
export function storedValues(entry: AvailableModel, model: Model): ModelValues {
  const { displayName, pricing = null } = entry;
  if (model.kind === "embedding") {
    const { queryPrefix, passagePrefix } = model;
    const isByName = queryPrefix === undefined && passagePrefix === undefined;
    const prefix = (stated: string | undefined) => (isByName ? null : (stated ?? ""));
    return {
      displayName,
      pricing,
      queryPrefix: prefix(queryPrefix),
      passagePrefix: prefix(passagePrefix),
    };
  }
  const { contextWindow = null, maxOutputTokens = null, capabilities } = model;
  return {
    displayName,
    pricing,
    contextWindow,
    maxOutputTokens,
    capabilities: Object.fromEntries(CAPABILITIES.map((one) => [one, capabilities[one]])),
  };
}

export function readValues(fields: FormData, model: Model): ModelValues {
  const count = (name: string) => Number(textOf(fields, name)) || null;
  const offer = { displayName: textOf(fields, "displayName"), pricing: readPrice(fields) };
  if (model.kind === "embedding") return { ...offer, ...readPrefixes(fields) };
  return {
    ...offer,
    contextWindow: count("contextWindow"),
    maxOutputTokens: count("maxOutputTokens"),
    capabilities: Object.fromEntries(CAPABILITIES.map((one) => [one, fields.has(one)])),
  };
}

/** A prefix may end with a space. */
function readPrefixes(fields: FormData): ModelChange {
  const read = (name: string) =>
    fields.has("prefixesByName") ? null : String(fields.get(name) ?? "");
  return { queryPrefix: read("queryPrefix"), passagePrefix: read("passagePrefix") };
}
