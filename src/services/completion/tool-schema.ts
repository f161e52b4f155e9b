import { isRecord } from "../../platform/json/is-record.ts";
import { tidySchema } from "../../platform/json-schema/tidy-schema.ts";

type Schema = Record<string, unknown>;

/** The only format that every provider knows. Others are said in the description. */
const COMMON_FORMAT = "date-time";
const LEFT_OUT = ["$ref", "$schema", "$id", "$comment", "$anchor", "$defs", "definitions"];
const COMBINING = ["anyOf", "oneOf", "allOf"] as const;
/** Parts of a schema after its references are replaced: they can multiply. */
const MAX_PARTS = 5_000;

interface Run {
  root: Schema;
  partsLeft: number;
}

/**
 * The arguments of a tool in the part of JSON Schema that every provider accepts: one schema that
 * it does not makes it refuse the whole request. An object with properties and nothing combined at
 * the top, references replaced, arrays with items, no unknown formats. The gateway still checks the
 * arguments against the tool's own schema. Sources: OpenAI guide, function calling; Anthropic API,
 * tools; Gemini API, Schema.
 */
export function toToolSchema(given: Schema): Schema {
  const root = tidySchema(given);
  const run = { root, partsLeft: MAX_PARTS };
  const top = flatten(simplify(root, run, []));
  const { properties, required, not: _not, enum: _enum, ...others } = top;
  const known = isRecord(properties) ? properties : {};
  const needed = namesIn(required).filter((name) => Object.hasOwn(known, name));
  return {
    ...others,
    type: "object",
    properties: known,
    ...(needed.length > 0 && { required: needed }),
  };
}

function simplify(schema: unknown, run: Run, references: readonly string[]): Schema {
  run.partsLeft -= 1;
  if (!isRecord(schema) || run.partsLeft < 0) return {};
  const { $ref, ...beside } = schema;
  if (typeof $ref !== "string") return simplifyParts(schema, run, references);
  const target = references.includes($ref) ? undefined : resolve(run.root, $ref);
  // what refers to itself is left open
  if (!target) return simplifyParts(beside, run, references);
  const inner = simplify(target, run, [...references, $ref]);
  return { ...inner, ...simplifyParts(beside, run, references) };
}

function simplifyParts(schema: Schema, run: Run, references: readonly string[]): Schema {
  const each = (inner: unknown) => simplify(inner, run, references);
  const result: Schema = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (LEFT_OUT.includes(keyword)) continue;
    if (keyword === "properties" && isRecord(value))
      result[keyword] = Object.fromEntries(
        Object.entries(value)
          .filter(([, inner]) => inner !== false)
          .map(([name, inner]) => [name, withKnownRequired(each(inner))]),
      );
    else if (COMBINING.some((one) => one === keyword) && Array.isArray(value))
      result[keyword] = value.map(each);
    else if (keyword === "additionalProperties" && isRecord(value))
      result[keyword] = each(value);
    else if (keyword === "const") result["enum"] = [value];
    else result[keyword] = value;
  }
  if (isArrayType(schema["type"])) Object.assign(result, toItems(schema, each));
  if (isArrayType(schema["type"])) delete result["prefixItems"];
  if (isRecord(result["properties"]) && result["type"] === undefined)
    result["type"] = "object";
  return withFormatInWords(result);
}

/** A tuple becomes a list of any of its items. */
function toItems({ items, prefixItems }: Schema, each: (part: unknown) => Schema): Schema {
  const tuple = Array.isArray(items)
    ? items
    : Array.isArray(prefixItems)
      ? prefixItems
      : [];
  if (tuple.length === 0) return { items: each(items) };
  return { items: { anyOf: tuple.map(each) } };
}

function isArrayType(type: unknown): boolean {
  return type === "array" || (Array.isArray(type) && type.includes("array"));
}

/** A branch of combined schemas may require what another one describes; a property may not. */
function withKnownRequired(schema: Schema): Schema {
  const { required, properties } = schema;
  if (!Array.isArray(required) || !isRecord(properties)) return schema;
  const known = namesIn(required).filter((name) => Object.hasOwn(properties, name));
  return { ...schema, required: known };
}

function withFormatInWords(schema: Schema): Schema {
  const { format, ...others } = schema;
  if (typeof format !== "string") return others;
  if (format === COMMON_FORMAT) return schema;
  const { description } = others;
  const words = `Format: ${format}.`;
  const text = typeof description === "string" ? `${description} ${words}` : words;
  return { ...others, description: text };
}

/** The combined schemas at the top as one: what each branch knows, and what all of them require. */
function flatten(schema: Schema): Schema {
  let result = schema;
  for (const keyword of COMBINING) {
    const { [keyword]: parts, ...others } = result;
    if (parts === undefined) continue;
    const branches = (Array.isArray(parts) ? parts : []).filter(isRecord).map(flatten);
    const properties = Object.assign(
      {},
      ...branches.map((branch) => branch["properties"]),
      others["properties"],
    ) as Schema; // properties are records
    const lists = branches.map(({ required }) => namesIn(required));
    const common =
      keyword === "allOf"
        ? lists.flat()
        : (lists[0] ?? []).filter((name) => lists.every((list) => list.includes(name)));
    const required = [...new Set([...namesIn(others["required"]), ...common])];
    result = { ...others, properties, required };
  }
  return result;
}

/** The part of a schema that a reference within it names. */
function resolve(root: Schema, reference: string): Schema | undefined {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  let part: unknown = root;
  for (const name of reference.slice(2).split("/")) {
    const key = decode(name).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof part !== "object" || part === null || !Object.hasOwn(part, key))
      return undefined;
    part = (part as Schema)[key];
  }
  return isRecord(part) ? part : undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function namesIn(required: unknown): string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
}
