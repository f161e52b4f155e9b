import fc from "fast-check";
import { expect, test } from "vitest";
import { toToolSchema } from "./tool-schema.ts";

const EMPTY = { type: "object", properties: {} };

test.each([
  ["no properties", { type: "object" }, EMPTY],
  ["nothing at all", {}, EMPTY],
  ["PHP's empty object", { type: "object", properties: [] }, EMPTY],
  ["null for what is absent", { ...EMPTY, required: null, $defs: null }, EMPTY],
  ["no type", { properties: { a: {} } }, { type: "object", properties: { a: {} } }],
  [
    "an array without items",
    { properties: { a: { type: "array" } } },
    { type: "object", properties: { a: { type: "array", items: {} } } },
  ],
  [
    "a tuple",
    { properties: { a: { type: "array", prefixItems: [{ type: "string" }] } } },
    {
      type: "object",
      properties: { a: { type: "array", items: { anyOf: [{ type: "string" }] } } },
    },
  ],
  [
    "alternatives at the top",
    {
      type: "object",
      properties: { a: {} },
      anyOf: [
        { required: ["a", "b"], properties: { b: { type: "string" } } },
        { required: ["a"] },
      ],
    },
    { type: "object", properties: { a: {}, b: { type: "string" } }, required: ["a"] },
  ],
  [
    "references",
    {
      properties: { a: { $ref: "#/$defs/A", description: "mine" } },
      $defs: { A: { type: "string", description: "theirs" } },
    },
    { type: "object", properties: { a: { type: "string", description: "mine" } } },
  ],
  [
    "a reference at the top",
    { $ref: "#/definitions/A", definitions: { A: { properties: { a: {} } } } },
    { type: "object", properties: { a: {} } },
  ],
  [
    "a reference to itself",
    {
      properties: { a: { $ref: "#/$defs/N" } },
      $defs: { N: { properties: { next: { $ref: "#/$defs/N" } } } },
    },
    {
      type: "object",
      properties: { a: { type: "object", properties: { next: {} } } },
    },
  ],
  [
    "a format",
    { properties: { a: { type: "string", format: "email", description: "Who." } } },
    {
      type: "object",
      properties: { a: { type: "string", description: "Who. Format: email." } },
    },
  ],
  [
    "draft 3 and 4",
    {
      properties: {
        a: { type: "number", minimum: 0, exclusiveMinimum: true, required: true },
      },
    },
    {
      type: "object",
      properties: { a: { type: "number", exclusiveMinimum: 0 } },
      required: ["a"],
    },
  ],
  [
    "a name that is required and unknown",
    { properties: { a: {} }, required: ["a", "b"] },
    { type: "object", properties: { a: {} }, required: ["a"] },
  ],
  [
    "nullable and a constant",
    { properties: { a: { type: "string", nullable: true }, b: { const: 1 } } },
    {
      type: "object",
      properties: { a: { type: ["string", "null"] }, b: { enum: [1] } },
    },
  ],
])("a schema with %s becomes one that every provider accepts", (_, given, wanted) => {
  expect(toToolSchema(given as Record<string, unknown>)).toEqual(wanted);
});

test("references that multiply stay bounded", () => {
  const $defs: Record<string, object> = { d0: { type: "string" } };
  for (let at = 1; at < 30; at += 1)
    $defs[`d${at}`] = {
      properties: { a: { $ref: `#/$defs/d${at - 1}` }, b: { $ref: `#/$defs/d${at - 1}` } },
    };
  const schema = toToolSchema({ $ref: "#/$defs/d29", $defs });
  expect(JSON.stringify(schema).length).toBeLessThan(500_000);
});

test("anything becomes an object schema without what providers refuse", () => {
  const keyword = fc.constantFrom(
    "type",
    "properties",
    "required",
    "items",
    "anyOf",
    "allOf",
    "$ref",
    "$defs",
    "enum",
    "not",
    "nullable",
    "exclusiveMinimum",
    "prefixItems",
    "format",
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, true, 1, "string", "array", "object", "#", "#/$defs/a"),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(keyword, tie("value"), { maxKeys: 4 }),
      fc.dictionary(fc.constantFrom("a", "b"), tie("value"), { maxKeys: 2 }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(keyword, value, { maxKeys: 6 }), (given) => {
      const schema = toToolSchema(given);
      expect(schema["type"]).toBe("object");
      expect(schema["properties"]).toBeTypeOf("object");
      for (const refused of ["anyOf", "oneOf", "allOf", "not", "enum", "$ref", "$defs"])
        expect(schema).not.toHaveProperty(refused);
    }),
    { numRuns: 500 },
  );
});
