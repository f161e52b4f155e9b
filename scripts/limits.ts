import { z } from "zod";
import type { AnyRoute } from "../src/platform/http/route.ts";
import { loadContracts } from "../src/server/load-contracts.ts";

/** Prints the limits of the input of every route, from the contracts. */
interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  [keyword: string]: unknown;
}

const KEYWORDS = ["maxLength", "minimum", "maximum", "maxItems", "maxProperties", "format"];
const BYTES_PER_MB = 2 ** 20;

/** Lines such as `  body.items[].name: maxLength 200`. */
function* fieldLimits(schema: JsonSchema, place: string): Generator<string> {
  const limits = KEYWORDS.filter((keyword) => schema[keyword] !== undefined);
  if (limits.length > 0)
    yield `  ${place}: ${limits.map((keyword) => `${keyword} ${String(schema[keyword])}`).join(", ")}`;
  for (const [name, field] of Object.entries(schema.properties ?? {}))
    yield* fieldLimits(field, `${place}.${name}`);
  if (schema.items) yield* fieldLimits(schema.items, `${place}[]`);
  for (const option of [schema.anyOf, schema.oneOf, schema.allOf].flat())
    if (option) yield* fieldLimits(option, place);
}

function* routeLimits(route: AnyRoute): Generator<string> {
  const { method, path, params, query, body, upload, maxBody = BYTES_PER_MB } = route;
  const size = body ? `, at most ${maxBody / BYTES_PER_MB} MB of JSON` : "";
  yield `${method.toUpperCase()} ${path}${size}`;
  const parts = { params, query, body, form: upload?.fields };
  const lines = Object.entries(parts).flatMap(([part, schema]) => {
    if (!schema) return [];
    const options = { io: "input", unrepresentable: "any" } as const;
    return [
      ...fieldLimits(z.toJSONSchema(schema as z.ZodType, options) as JsonSchema, part),
    ];
  });
  yield* new Set(lines);
}

for (const { contract } of await loadContracts())
  for (const route of Object.values(contract))
    console.log([...routeLimits(route)].join("\n"));
