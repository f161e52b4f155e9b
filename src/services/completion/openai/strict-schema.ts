import { isRecord } from "../../../platform/json/is-record.ts";

/** Keywords of OpenAI's strict mode. Source: OpenAI guide, structured outputs. */
const KEYWORDS = new Set([
  "type",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "anyOf",
  "enum",
  "const",
  "$ref",
  "$defs",
  "$schema",
  "title",
  "description",
  "pattern",
  "format",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
]);
const MAX_DEPTH = 10;

/**
 * Whether OpenAI's strict mode accepts a schema. It refuses the whole request where an object may
 * hold more than its required properties, or where it does not know a keyword. Without strict mode
 * the model may ignore a schema.
 */
export function isStrict(schema: Record<string, unknown>): boolean {
  return schema["type"] === "object" && !("anyOf" in schema) && isStrictPart(schema, 1);
}

function isStrictPart(schema: unknown, depth: number): boolean {
  if (!isRecord(schema) || depth > MAX_DEPTH) return false;
  if (Object.keys(schema).some((keyword) => !KEYWORDS.has(keyword))) return false;
  const { properties = {}, required = [], anyOf = [], items, $defs = {} } = schema;
  if (!isRecord(properties) || !isRecord($defs)) return false;
  if (!Array.isArray(required) || !Array.isArray(anyOf)) return false;
  const isObject = schema["type"] === "object" || "properties" in schema;
  const isClosed =
    schema["additionalProperties"] === false &&
    Object.keys(properties).every((name) => required.includes(name));
  if (isObject && !isClosed) return false;
  const parts = [...Object.values(properties), ...Object.values($defs), ...anyOf];
  if (items !== undefined) parts.push(items);
  return parts.every((part) => isStrictPart(part, depth + 1));
}
