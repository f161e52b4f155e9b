import fc from "fast-check";

export interface OpenApiDocument {
  paths: Record<
    string,
    Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>
  >;
  components: { schemas: Record<string, Schema> };
}

interface Schema {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  prefixItems?: Schema[];
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  format?: string;
  pattern?: string;
}

/** Made once: making it takes a second. */
const webUrl = fc.webUrl();
/** Deeper schemas are filled with any value. */
const DEEPEST = 6;

/**
 * Generates values that mostly match a schema of the document, so that they pass its validation,
 * with unusual text. @returns the arbitrary of a schema.
 */
export function fittingValues(
  { components }: OpenApiDocument,
  strange: fc.Arbitrary<string>,
) {
  return (schema: Schema) => of(schema, 0);

  function of(schema: Schema, depth: number): fc.Arbitrary<unknown> {
    if (depth > DEEPEST) return fc.constant("x");
    // not deeper itself; what refers to itself does so within an object or a choice
    if (schema.$ref)
      return of(components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}, depth);
    const ways = schema.anyOf ?? schema.oneOf;
    if (ways) return fc.oneof(...ways.map((way) => of(way, depth + 1)));
    if (schema.const !== undefined) return fc.constant(schema.const);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    if (schema.type === "object") return objectOf(schema, depth);
    if (schema.type === "array") {
      const maxLength = Math.max(schema.minItems ?? 0, Math.min(schema.maxItems ?? 3, 3));
      return fc.array(of(schema.items ?? {}, depth + 1), {
        minLength: schema.minItems ?? 0,
        maxLength,
      });
    }
    return simpleOf(schema);
  }

  function objectOf(
    { properties = {}, required = [], additionalProperties }: Schema,
    depth: number,
  ): fc.Arbitrary<unknown> {
    const known = fc.record(
      Object.fromEntries(
        Object.entries(properties).map(([name, inner]) => [name, of(inner, depth + 1)]),
      ),
      {
        requiredKeys: required.filter((name) => name in properties),
      },
    );
    if (typeof additionalProperties !== "object") return known;
    return fc
      .tuple(
        known,
        fc.dictionary(strange, of(additionalProperties, depth + 1), { maxKeys: 2 }),
      )
      .map(([a, b]) => ({ ...b, ...a }));
  }

  function simpleOf({
    type,
    minimum = -10,
    maximum = 10,
    format,
    maxLength = 200,
    pattern,
  }: Schema): fc.Arbitrary<unknown> {
    if (type === "boolean") return fc.boolean();
    if (type === "null") return fc.constant(null);
    const least = Math.max(minimum, -1_000_000);
    if (type === "integer")
      return fc.integer({
        min: Math.ceil(least),
        max: Math.floor(Math.max(least, Math.min(maximum, 1_000_000))),
      });
    if (type === "number")
      return fc.double({
        min: least,
        max: Math.max(least, Math.min(maximum, 1_000_000)),
        noNaN: true,
      });
    if (type !== "string") return fc.oneof(strange, fc.jsonValue());
    if (format === "uuid") return fc.uuid();
    if (format === "email") return fc.emailAddress();
    if (format === "date-time")
      return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
    if (format === "uri") return webUrl;
    if (pattern) return fc.oneof(strange, fc.stringMatching(/^[a-z]{1,8}$/));
    return strange.map((text) => text.slice(0, maxLength));
  }
}
