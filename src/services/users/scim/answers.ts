import { isRecord } from "../../../platform/json/is-record.ts";
import type { Projection, ScimQuery } from "../contract-scim.ts";
import type { ResourceSchema } from "./attributes.ts";
import { withoutUrn } from "./values.ts";

/** Lists, and the attributes that a client asks for. */

const LIST = "urn:ietf:params:scim:api:messages:2.0:ListResponse";
/** In every answer, whatever a client asks for. */
const ALWAYS = ["schemas", "id"];
export const MAX_COUNT = 200;

export function listResponse<Item>(items: Item[], total = items.length, startIndex = 1) {
  return {
    schemas: [LIST],
    totalResults: total,
    startIndex,
    itemsPerPage: items.length,
    Resources: items,
  };
}

/** Numbers below the least stand for it (RFC 7644, 3.4.2.4). */
export function pageOfQuery({ startIndex, count }: ScimQuery) {
  const first = Math.max(1, startIndex);
  return {
    startIndex: first,
    offset: first - 1,
    limit: Math.min(MAX_COUNT, Math.max(0, count)),
  };
}

type Fields = Record<string, unknown>;

/** Returns how to reduce resources to the attributes that a request asks for. */
export function projection(
  schema: ResourceSchema,
  { attributes, excludedAttributes }: Projection,
): <R extends object>(resource: R) => R {
  const only = namesOf(schema, attributes);
  const without = namesOf(schema, excludedAttributes);
  if (!only && !without) return (resource) => resource;
  return <R extends object>(resource: R) => {
    const entries = Object.entries(resource).flatMap(([name, value]) => {
      if (ALWAYS.includes(name)) return [[name, value] as const];
      const kept = only ? pick(only, name, value) : omit(without ?? new Set(), name, value);
      return kept === undefined ? [] : [[name, kept] as const];
    });
    return Object.fromEntries(entries) as R; // every attribute may be absent
  };
}

/** Whether an answer has an attribute, so that it need not be read otherwise. */
export function isAsked(schema: ResourceSchema, query: Projection, name: string): boolean {
  return name in projection(schema, query)({ [name]: [{ value: "" }] });
}

function namesOf(
  schema: ResourceSchema,
  list: string | undefined,
): Set<string> | undefined {
  const names = (list ?? "").split(",").flatMap((part) => {
    const name = withoutUrn(schema, part.trim()).toLowerCase();
    return name === "" ? [] : [name];
  });
  return names.length > 0 ? new Set(names) : undefined;
}

function pick(names: ReadonlySet<string>, name: string, value: unknown): unknown {
  if (names.has(name.toLowerCase())) return value;
  return parts(value, (sub) => names.has(`${name}.${sub}`.toLowerCase()));
}

function omit(names: ReadonlySet<string>, name: string, value: unknown): unknown {
  if (names.has(name.toLowerCase())) return undefined;
  if (!isRecord(value) && !Array.isArray(value)) return value;
  return parts(value, (sub) => !names.has(`${name}.${sub}`.toLowerCase()));
}

/** A complex value, or each of several, with some of its parts; undefined if none is left. */
function parts(value: unknown, isKept: (sub: string) => boolean): unknown {
  if (Array.isArray(value)) {
    const left = value.flatMap((one) => parts(one, isKept) ?? []);
    return left.length > 0 ? left : undefined;
  }
  if (!isRecord(value)) return undefined;
  const left: Fields = Object.fromEntries(
    Object.entries(value).filter(([sub]) => isKept(sub)),
  );
  return Object.keys(left).length > 0 ? left : undefined;
}
