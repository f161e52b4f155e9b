import { z } from "zod";

/** The names of schemas that modules export, by which a document refers to them. */
export type SchemaNames = ReadonlyMap<z.core.$ZodType, string>;

/** The mark of a named schema, until `SharedSchemas` makes a component of it. */
export const NAME_MARK = "x-name";

/** JSON Schema of what is sent (`input`) or answered (`output`). */
export function schemaOf(
  schema: z.ZodType,
  io: "input" | "output",
  names?: SchemaNames,
): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    target: "draft-2020-12",
    override({ zodSchema, jsonSchema }) {
      const parent = zodSchema._zod.parent;
      const name = names?.get(zodSchema) ?? (parent && names?.get(parent));
      if (name !== undefined) jsonSchema[NAME_MARK] = name;
      // a flag in a query is a boolean that is written as text
      if (jsonSchema.type === "boolean" && jsonSchema.default !== undefined)
        jsonSchema.default = String(jsonSchema.default) === "true";
      mendForReaders(jsonSchema, io);
      // an answer may gain a field in a later version
      if (io === "output" && !isStrict(zodSchema)) delete jsonSchema.additionalProperties;
    },
  });
  return rest;
}

/** Changes what is right as JSON Schema, but what tools for OpenAPI do not know. */
function mendForReaders(jsonSchema: z.core.JSONSchema.BaseSchema, io: "input" | "output") {
  // ours, for forms of administrators
  if ("secret" in jsonSchema) {
    delete jsonSchema["secret"];
    const texts = [jsonSchema, ...(jsonSchema.anyOf ?? [])].filter(
      (one) => one.type === "string",
    );
    if (io === "input") for (const one of texts) one.format = "password";
  }
  const { propertyNames, additionalProperties, required } = jsonSchema;
  if (required && typeof propertyNames === "object" && propertyNames.enum) {
    jsonSchema.properties = Object.fromEntries(
      propertyNames.enum.map((key) => [String(key), additionalProperties ?? {}]),
    );
    delete jsonSchema.propertyNames;
    if (io === "input") jsonSchema.additionalProperties = false;
    else delete jsonSchema.additionalProperties;
  }
}

/** Whether an object declares what may be in it besides its properties. */
function isStrict(schema: z.core.$ZodType): boolean {
  return !(schema instanceof z.ZodObject) || schema.def.catchall !== undefined;
}
