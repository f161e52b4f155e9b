import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { AnyRoute } from "../platform/http/route.ts";
import { loadContracts } from "./load-contracts.ts";

/**
 * Values that may be unbounded, with the reason. A value without a type is not listed: it is opaque
 * JSON, limited by the route's `maxBody` and by the limits of the whole body.
 */
const EXCEPTIONS: Record<string, string> = {
  "users.changePreferences body": "JSON of a client's own, at most 32 KB by its own check",
};

interface JsonSchema {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  format?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  maxLength?: number;
  maxItems?: number;
  maxProperties?: number;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  prefixItems?: JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  additionalProperties?: JsonSchema | boolean;
  propertyNames?: JsonSchema;
}

describe("request schemas", () => {
  it("bound every string, integer, array and record", async () => {
    const found = (await loadContracts()).flatMap(({ name: service, contract }) =>
      Object.entries(contract).flatMap(([name, route]) =>
        unboundedIn(`${service}.${name}`, route),
      ),
    );

    expect(found.filter((place) => !isException(place))).toEqual([]);
    for (const exception of Object.keys(EXCEPTIONS))
      expect(found.some((place) => place.startsWith(exception))).toBe(true);
  });

  it.each([
    ["a string", z.string()],
    ["a pattern without a length", z.string().regex(/^a+$/)],
    ["an integer", z.number().int()],
    ["an integer from zero", z.coerce.number().int().min(0)],
    ["an array", z.array(z.uuid())],
    ["a record", z.record(z.string().max(9), z.boolean())],
    ["the keys of a record", z.partialRecord(z.string(), z.boolean())],
    ["a loose object", z.looseObject({})],
    ["one of several", z.union([z.boolean(), z.string()])],
    ["what is transformed", z.string().transform(Number).optional()],
  ])("finds %s that is unbounded", (_, schema) => {
    expect(unbounded(z.object({ deep: z.array(schema).max(1) }))).not.toEqual([]);
  });
});

function isException(place: string): boolean {
  return Object.keys(EXCEPTIONS).some((exception) => place.startsWith(exception));
}

function unboundedIn(name: string, { params, query, body, upload }: AnyRoute): string[] {
  const parts = { params, query, body, fields: upload?.fields };
  return Object.entries(parts).flatMap(([part, schema]) =>
    schema ? unbounded(schema as z.ZodType).map((place) => `${name} ${part}${place}`) : [],
  );
}

/** Lists the places in a schema that accept a value of any size. */
function unbounded(schema: z.ZodType): string[] {
  const whole = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
  }) as JsonSchema;
  const seen = new Set<JsonSchema>();
  return walk(whole, "");

  function walk(node: JsonSchema | undefined, place: string): string[] {
    if (node === undefined || seen.has(node)) return [];
    seen.add(node);
    if (node.$ref) return walk(whole.$defs?.[node.$ref.replace("#/$defs/", "")], place);
    if (node.const !== undefined || node.enum) return [];
    return [...complaints(node).map((what) => `${place}: ${what}`), ...within(node, place)];
  }

  function within(node: JsonSchema, place: string): string[] {
    const { additionalProperties: others } = node;
    return [
      ...Object.entries(node.properties ?? {}).flatMap(([key, inner]) =>
        walk(inner, `${place}.${key}`),
      ),
      ...[node.anyOf, node.oneOf, node.allOf, node.prefixItems]
        .flatMap((ways) => ways ?? [])
        .flatMap((inner) => walk(inner, place)),
      ...walk(node.items, `${place}[]`),
      ...(typeof others === "object" ? walk(others, `${place}.*`) : []),
      ...walk(node.propertyNames, `${place} keys`),
    ];
  }
}

function complaints(node: JsonSchema): string[] {
  const types = [node.type].flat();
  return [
    types.includes("string") && isEndless(node) && "string",
    types.includes("integer") && isHuge(node) && "integer",
    types.includes("array") && node.maxItems === undefined && "array",
    isOpen(node) && "record",
  ].filter((complaint) => complaint !== false);
}

function isEndless({ maxLength, format }: JsonSchema): boolean {
  return maxLength === undefined && format !== "uuid" && format !== "date";
}

/** Zod limits every integer to what JSON represents exactly; columns of that size are `int64`. */
function isHuge({ minimum, exclusiveMinimum, maximum, format }: JsonSchema): boolean {
  const least = minimum ?? exclusiveMinimum ?? Number.MIN_SAFE_INTEGER;
  const most = maximum ?? Number.MAX_SAFE_INTEGER;
  if (least === Number.MIN_SAFE_INTEGER) return true;
  return most === Number.MAX_SAFE_INTEGER && format !== "int64";
}

/** Any number of keys other than the named ones. Keys of an enumeration are few. */
function isOpen({
  additionalProperties,
  maxProperties,
  propertyNames,
}: JsonSchema): boolean {
  const others = typeof additionalProperties === "object" || additionalProperties === true;
  return others && maxProperties === undefined && !propertyNames?.enum;
}
