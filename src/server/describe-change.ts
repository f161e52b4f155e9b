import type { AuditedChange } from "../platform/http/guard.ts";
import type { AnyRoute } from "../platform/http/route.ts";
import { isRecord } from "../platform/json/is-record.ts";

/** Fields that say what a change is about. None of them holds a secret. */
const NAMING_FIELDS = [
  "id",
  "name",
  "displayName",
  "kind",
  "modelId",
  "providerName",
  "providerModelId",
  "subjectType",
  "subjectId",
  "unit",
  "amount",
  "period",
  "server",
  "effect",
  "enabled",
  "source",
  "availableModelId",
  "chosen",
  "cancelled",
  "ids",
] as const;
const MAX_ID_CHARACTERS = 500;

type Fields = Record<string, unknown>;

/**
 * Which resource an administrator changed, and how, for the audit log: its id or name, by the path
 * or as it was created, and the names of the fields that were sent. Values other than names stay
 * out, because some are secrets.
 */
export function describeChange(
  route: AnyRoute,
  { params, query, body, answer }: AuditedChange,
): { resourceId: string; details: Fields } {
  const [asked, answered] = [toFields(body), toFields(answer)];
  const named = { ...pickNames(answered), ...pickNames(asked), ...pickNames(query) };
  const sent = Object.keys(asked);
  return {
    resourceId: (Object.values(params).join("/") || idOf(named)).slice(
      0,
      MAX_ID_CHARACTERS,
    ),
    details: {
      path: route.path,
      ...named,
      ...(sent.length > 0 && { fields: sent }),
    },
  };
}

/** What a resource without an id in the path is called. */
function idOf({ server, id, name, chosen, cancelled }: Fields): string {
  if (typeof server === "string" && typeof name === "string") return `${server}/${name}`;
  const first = [id, name, chosen, cancelled].find((one) => typeof one === "string");
  return typeof first === "string" ? first : "";
}

function pickNames(value: unknown): Fields {
  const fields = toFields(value);
  return Object.fromEntries(
    NAMING_FIELDS.flatMap((name) => (isPlain(fields[name]) ? [[name, fields[name]]] : [])),
  );
}

function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((one) => typeof one === "string");
  return ["string", "number", "boolean"].includes(typeof value);
}

function toFields(value: unknown): Fields {
  return isRecord(value) ? value : {};
}
