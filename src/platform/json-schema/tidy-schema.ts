import { isRecord } from "../json/is-record.ts";

/** Keywords whose values are data, in which everything has a meaning of its own. */
const DATA = new Set(["default", "const", "enum", "examples", "example"]);
/** Keywords with a schema for each name. */
const MAPS = [
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
];

/**
 * Schemas as servers write them, made into JSON Schema: null for a keyword that is absent, `[]` for
 * an empty object (PHP), `required: true` at a property (draft 3), a limit that is exclusive by
 * `true` (draft 4), `nullable` (OpenAPI).
 */
export function tidySchema(schema: Record<string, unknown>): Record<string, unknown> {
  const tidy: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema))
    if (DATA.has(keyword)) tidy[keyword] = value;
    else if (value !== null) tidy[keyword] = tidyValue(keyword, value);
  mendRequired(tidy, schema);
  for (const [exclusive, limit] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (typeof tidy[exclusive] !== "boolean") continue;
    if (tidy[exclusive] && limit in tidy) {
      tidy[exclusive] = tidy[limit];
      delete tidy[limit];
    } else delete tidy[exclusive];
  }
  const { nullable, type } = tidy;
  if (nullable === true && typeof type === "string") tidy["type"] = [type, "null"];
  delete tidy["nullable"];
  if (Array.isArray(tidy["enum"]) && tidy["enum"].length === 0) delete tidy["enum"];
  return tidy;
}

function tidyValue(keyword: string, value: unknown): unknown {
  if (MAPS.includes(keyword)) return tidyMap(value);
  if (Array.isArray(value)) return value.map((inner) => tidyValue("", inner));
  return isRecord(value) ? tidySchema(value) : value;
}

function tidyMap(value: unknown): unknown {
  if (!isRecord(value)) return {};
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(entries.map(([name, inner]) => [name, tidyValue("", inner)]));
}

function mendRequired(tidy: Record<string, unknown>, original: Record<string, unknown>) {
  const { required } = tidy;
  if (Array.isArray(required))
    tidy["required"] = [...new Set(required.filter((name) => typeof name === "string"))];
  else delete tidy["required"];
  const properties = original["properties"];
  if (Array.isArray(required) || !isRecord(properties)) return;
  const marked = Object.keys(properties).filter((name) => {
    const property = properties[name];
    return isRecord(property) && property["required"] === true;
  });
  if (marked.length > 0) tidy["required"] = marked;
}
