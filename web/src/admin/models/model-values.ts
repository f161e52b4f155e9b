import type { LoadSharing } from "../../../../src/services/completion/contract-catalogue.ts";
import type { DefaultParameters } from "../../../../src/services/completion/contract-model-parameters.ts";
import { textOf } from "../../ui/form-dialog.tsx";
import { readFallbacks, readLoadSharing } from "./fallback-fields.tsx";
import type {
  AvailableModel,
  AvailableModelChange,
  Model,
  ModelChange,
} from "./queries.ts";

/** What the dialog of a model holds, as it is stored and as the form gives it back. */

export const CAPABILITIES = ["tools", "reasoning"] as const;
/** What it may read as it is. Nobody may have said whether it does. */
export const READS = ["vision", "documents", "audio"] as const;
export const ANSWERS = [
  ["unknown", null],
  ["yes", true],
  ["no", false],
] as const;

/** What a person sets of a model and of its offer. */
export type ModelValues = Pick<
  AvailableModelChange,
  "displayName" | "pricing" | "fallbacks" | "loadSharing" | "parameters"
> &
  ModelChange;

/** What is stored, as the form gives it back when nothing is changed. */
export function storedValues(entry: AvailableModel, model: Model): ModelValues {
  const { displayName, pricing = null, fallbacks = [] } = entry;
  const offer = { displayName, pricing, fallbacks, loadSharing: storedSharing(entry) };
  if (model.kind === "embedding") {
    const { queryPrefix, passagePrefix } = model;
    const isByName = queryPrefix === undefined && passagePrefix === undefined;
    const prefix = (stated: string | undefined) => (isByName ? null : (stated ?? ""));
    return {
      ...offer,
      queryPrefix: prefix(queryPrefix),
      passagePrefix: prefix(passagePrefix),
    };
  }
  if (model.kind !== "completion") return offer;
  const { contextWindow = null, maxOutputTokens = null, capabilities } = model;
  return {
    ...offer,
    parameters: entry.parameters ?? {},
    contextWindow,
    maxOutputTokens,
    capabilities: Object.fromEntries([
      ...CAPABILITIES.map((one) => [one, capabilities[one]]),
      ...READS.map((one) => [one, statedOf(capabilities, one)]),
    ]),
  };
}

/** Null: neither its provider nor a person said it. */
export function statedOf(
  capabilities: Model["capabilities"],
  one: (typeof READS)[number],
): boolean | null {
  if (one === "vision" && capabilities.visionAssumed) return null;
  return capabilities[one] ?? null;
}

/** In the order of the fields, without what is no fallback any more. */
function storedSharing({
  loadSharing,
  fallbacks = [],
}: AvailableModel): LoadSharing | null {
  if (!loadSharing) return null;
  const shares = fallbacks.flatMap(
    (id) => loadSharing.with.find((one) => one.id === id) ?? [],
  );
  return shares.length > 0 ? { ...loadSharing, with: shares } : null;
}

export function readValues(
  fields: FormData,
  model: Model,
  parameters: DefaultParameters,
): ModelValues {
  const count = (name: string) => Number(textOf(fields, name)) || null;
  const offer = {
    displayName: textOf(fields, "displayName"),
    pricing: readPrice(fields),
    fallbacks: readFallbacks(fields),
    loadSharing: readLoadSharing(fields),
  };
  if (model.kind === "embedding") return { ...offer, ...readPrefixes(fields) };
  if (model.kind !== "completion") return offer;
  return {
    ...offer,
    parameters,
    contextWindow: count("contextWindow"),
    maxOutputTokens: count("maxOutputTokens"),
    capabilities: Object.fromEntries([
      ...CAPABILITIES.map((one) => [one, fields.has(one)]),
      ...READS.map((one) => [one, readAnswer(textOf(fields, one))]),
    ]),
  };
}

function readAnswer(given: string): boolean | null {
  return ANSWERS.find(([answer]) => answer === given)?.[1] ?? null;
}

/** A prefix may end with a space. */
function readPrefixes(fields: FormData): ModelChange {
  const read = (name: string) =>
    fields.has("prefixesByName") ? null : String(fields.get(name) ?? "");
  return { queryPrefix: read("queryPrefix"), passagePrefix: read("passagePrefix") };
}

const TOKEN_PRICES = [
  "inputPerMillion",
  "outputPerMillion",
  "cachedInputPerMillion",
  "cacheWriteInputPerMillion",
] as const;
const UNIT_PRICES = ["perImage", "perMinute", "perMillionCharacters"] as const;

/** What models of this kind may be paid by. */
export function pricesOf(kind: Model["kind"]) {
  if (kind === "image") return [...TOKEN_PRICES, "perImage"] as const;
  if (kind === "transcription") return [...TOKEN_PRICES, "perMinute"] as const;
  if (kind === "speech" || kind === "moderation")
    return [...TOKEN_PRICES, "perMillionCharacters"] as const;
  return TOKEN_PRICES;
}

/** Null: without a price nothing counts towards budgets. */
function readPrice(fields: FormData): NonNullable<AvailableModelChange["pricing"]> | null {
  const [input, output, cached, written] = TOKEN_PRICES.map((name) => textOf(fields, name));
  const units = UNIT_PRICES.filter((name) => fields.get(name)).map((name) => [
    name,
    Number(textOf(fields, name)),
  ]);
  if (!input && !output && units.length === 0) return null;
  return {
    ...Object.fromEntries(units),
    inputPerMillion: Number(input),
    outputPerMillion: Number(output),
    ...(cached && { cachedInputPerMillion: Number(cached) }),
    ...(written && { cacheWriteInputPerMillion: Number(written) }),
    currency: textOf(fields, "currency").toUpperCase(),
  };
}
