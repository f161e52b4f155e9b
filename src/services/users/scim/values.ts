import { isRecord } from "../../../platform/json/is-record.ts";
import {
  type Attribute,
  findAttribute,
  lookUp,
  type ResourceSchema,
} from "./attributes.ts";
import { invalidValue, tooMany } from "./errors.ts";

/** A resource without `id`, `meta` and `schemas`: attributes by their names as in the schema. */
export type Resource = Record<string, unknown>;
type Complex = Record<string, unknown>;

/**
 * What a body says of a resource: kept attributes by their proper names. Others are left out, as
 * are read-only ones, which clients send back as they got them.
 */
export function readResource(schema: ResourceSchema, body: unknown): Resource {
  const resource: Resource = {};
  for (const [key, value] of Object.entries(isRecord(body) ? body : {})) {
    const found = lookUp(schema, withoutUrn(schema, key));
    if (found.kind !== "kept") continue;
    const { attribute } = found;
    const read = readValue(attribute, value);
    if (read !== undefined) resource[attribute.name] = read;
  }
  return resource;
}

/** `urn:ietf:params:scim:schemas:core:2.0:User:userName` is `userName`. */
export function withoutUrn({ id }: ResourceSchema, name: string): string {
  return name.toLowerCase().startsWith(`${id.toLowerCase()}:`)
    ? name.slice(id.length + 1)
    : name;
}

/**
 * The value of an attribute; undefined for one that is unassigned: null, an empty list.
 * @throws BadRequest `scim_value_invalid`.
 */
export function readValue(attribute: Attribute, value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (!attribute.multiValued) return readOne(attribute, value);
  const list = Array.isArray(value) ? (value as unknown[]) : [value];
  const { name, maxValues } = attribute;
  if (maxValues !== undefined && list.length > maxValues) throw tooMany(name, maxValues);
  const read = list.flatMap((item) => {
    // Entra removes the values of an attribute by null in a list
    const one = item === null ? undefined : readOne(attribute, item);
    return one === undefined ? [] : [one];
  });
  return read.length > 0 ? read : undefined;
}

function readOne(attribute: Attribute, value: unknown): unknown {
  if (attribute.type === "complex") return readComplex(attribute, value);
  if (attribute.type === "boolean") return readBoolean(attribute, value);
  if (typeof value !== "string") throw invalidValue(attribute.name, "it must be a text");
  const { name, max = 1_000 } = attribute;
  if (value.length > max) throw invalidValue(name, `it has more than ${max} characters`);
  if (value.includes("\0")) throw invalidValue(name, "it contains NUL");
  return value === "" ? undefined : value;
}

/** Entra sends booleans as the texts "True" and "False". */
function readBoolean({ name }: Attribute, value: unknown): boolean {
  if (typeof value === "boolean") return value;
  const text = typeof value === "string" ? value.toLowerCase() : "";
  if (text !== "true" && text !== "false")
    throw invalidValue(name, "it must be true or false");
  return text === "true";
}

/** A bare text stands for the sub-attribute `value`. */
function readComplex(attribute: Attribute, value: unknown): Complex | undefined {
  const given = typeof value === "string" ? { value } : value;
  if (!isRecord(given)) throw invalidValue(attribute.name, "it must be an object");
  const read: Complex = {};
  for (const [key, part] of Object.entries(given)) {
    const sub = findAttribute(attribute.subAttributes, key);
    if (!sub || sub.mutability === "readOnly") continue;
    const one = readValue(sub, part);
    if (one !== undefined) read[sub.name] = one;
  }
  return Object.keys(read).length > 0 ? read : undefined;
}
