import { z } from "zod";

/** JSON Schema of what is sent (`input`) or answered (`output`). */
export function schemaOf(schema: z.ZodType, io: "input" | "output"): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    target: "draft-2020-12",
    // a flag in a query is a boolean that is written as text
    override({ jsonSchema }) {
      if (jsonSchema.type === "boolean" && jsonSchema.default !== undefined)
        jsonSchema.default = String(jsonSchema.default) === "true";
    },
  });
  return rest;
}
