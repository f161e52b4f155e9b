import { z } from "zod";
import type { AnyRoute } from "../../src/platform/http/route.ts";
import type { Asked } from "./row.ts";

/** Names of fields that identify a resource. */
const ID = /^(id|ids|\w*Ids?|\w*_ids?|files|agents|depends_on)$/;
const DEEPEST = 6;

interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema | JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
}

/**
 * Lists the fields of a route's path, query and body that identify resources, as
 * `body.retrieval.docIds`.
 */
export function idFieldsOf({ params, query, body }: AnyRoute): string[] {
  const found = new Set<string>();
  for (const [part, schema] of Object.entries({ params, query, body })) {
    if (!(schema instanceof z.ZodType)) continue;
    walk(
      z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonSchema,
      part,
      found,
      0,
    ); // its own output
  }
  return [...found].sort();
}

function walk(schema: JsonSchema, path: string, found: Set<string>, depth: number): void {
  if (depth > DEEPEST) return;
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    if (ID.test(name)) found.add(`${path}.${name}`);
    walk(inner, `${path}.${name}`, found, depth + 1);
  }
  for (const inner of [
    schema.items ?? [],
    schema.anyOf ?? [],
    schema.oneOf ?? [],
    schema.allOf ?? [],
  ].flat())
    walk(inner, path, found, depth + 1);
}

/** Lists the fields that a request sets, in the same form. */
export function filledFields({ params, query, body, form }: Asked): Set<string> {
  const filled = new Set<string>();
  const visit = (value: unknown, path: string): void => {
    if (value === undefined || value === null) return;
    filled.add(path);
    if (Array.isArray(value)) for (const one of value) visit(one, path);
    else if (typeof value === "object")
      for (const [name, inner] of Object.entries(value)) visit(inner, `${path}.${name}`);
  };
  visit(params, "params");
  visit(query, "query");
  visit(body, "body");
  visit(form, "body");
  return filled;
}
