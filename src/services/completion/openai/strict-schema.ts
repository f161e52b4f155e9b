/** What OpenAI's strict mode reads. Source: OpenAI guide, structured outputs, supported schemas. */
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
const DEEPEST = 10;

/**
 * Whether OpenAI's strict mode takes a schema: it refuses the whole request where an object may
 * hold more than its required properties, or where a keyword is unknown to it. Without it a schema
 * is advice only.
 */
export function isStrict(schema: Record<string, unknown>): boolean {
  return schema["type"] === "object" && !("anyOf" in schema) && strict(schema, 1);
}

function strict(schema: unknown, depth: number): boolean {
  if (!isRecord(schema) || depth > DEEPEST) return false;
  if (Object.keys(schema).some((keyword) => !KEYWORDS.has(keyword))) return false;
  const { properties = {}, required = [], anyOf = [], items, $defs = {} } = schema;
  if (
    !isRecord(properties) ||
    !isRecord($defs) ||
    !Array.isArray(required) ||
    !Array.isArray(anyOf)
  )
    return false;
  if (schema["type"] === "object" || "properties" in schema) {
    const closed =
      schema["additionalProperties"] === false &&
      Object.keys(properties).every((name) => required.includes(name));
    if (!closed) return false;
  }
  const parts = [
    ...Object.values(properties),
    ...Object.values($defs),
    ...anyOf,
    ...(items === undefined ? [] : [items]),
  ];
  return parts.every((part) => strict(part, depth + 1));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
