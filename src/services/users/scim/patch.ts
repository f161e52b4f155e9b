import { BadRequest } from "../../../platform/http/errors.ts";
import { isRecord } from "../../../platform/json/is-record.ts";
import {
  type Attribute,
  findAttribute,
  lookUp,
  type ResourceSchema,
} from "./attributes.ts";
import { invalidPath, invalidValue, tooMany } from "./errors.ts";
import { type Filter, parseFilter } from "./filter.ts";
import { readValue, type Resource, withoutUrn } from "./values.ts";

/** One operation of a PATCH, whose attribute is kept. */
export interface Change {
  op: "add" | "replace" | "remove";
  attribute: Attribute;
  filter?: Filter;
  sub?: Attribute;
  /** As `readValue` reads it, unless `op` is `remove`. */
  value: unknown;
}

export interface Operation {
  op: string;
  path?: string | undefined;
  value?: unknown;
}

/**
 * Operations as changes of single attributes. An operation without a path has an object of
 * attributes as its value, whose keys Entra writes as paths. All bounds hold here, before anything
 * is locked.
 * @throws BadRequest `scim_path_invalid`, `scim_path_missing`, `scim_read_only`,
 * `scim_value_invalid`, `scim_filter_invalid`.
 */
export function readOperations(
  schema: ResourceSchema,
  operations: readonly Operation[],
): Change[] {
  const { maxChanges } = schema.patch;
  const named = operations.flatMap(toNamed);
  if (named.length > maxChanges) throw tooMany("Operations", maxChanges);
  return named.flatMap((one) => readChange(schema, one));
}

function toNamed({ op: word, path, value }: Operation): Named[] {
  const op = toOp(word);
  if (path !== undefined && path !== "") return [{ op, path, value, isNamed: true }];
  if (op === "remove" || !isRecord(value)) throw pathMissing();
  return Object.entries(value).map(([key, one]) => ({
    op,
    path: key,
    value: one,
    isNamed: false,
  }));
}

interface Named {
  op: Change["op"];
  path: string;
  value: unknown;
  /** The client names the attribute, rather than sending back what it has. */
  isNamed: boolean;
}

function readChange(schema: ResourceSchema, { op, path, value, isNamed }: Named): Change[] {
  const { attribute: name, filter, sub: subName } = parsePath(schema, path) satisfies Path;
  const found = lookUp(schema, name);
  if (found.kind === "not-kept") return [];
  if (found.kind === "unknown") throw invalidPath(path);
  if (found.kind === "common") {
    if (isNamed) throw readOnly(name);
    return [];
  }
  const { attribute } = found;
  const sub =
    subName === undefined ? undefined : findAttribute(attribute.subAttributes, subName);
  if (subName !== undefined && !sub) {
    if (attribute.type === "complex") return []; // a part that is not kept, as name.middleName
    throw invalidPath(path);
  }
  if (filter && !attribute.multiValued) throw invalidPath(path);
  const read = op === "remove" ? value : readValue(sub ?? attribute, value);
  return [{ op, attribute, value: read, ...(filter && { filter }), ...(sub && { sub }) }];
}

/** Entra capitalises operations. */
function toOp(word: string): Change["op"] {
  const op = word.toLowerCase();
  if (op === "add" || op === "replace" || op === "remove") return op;
  throw invalidValue("op", "it must be add, replace or remove");
}

/** What an operation of a PATCH is about: `emails[type eq "work"].value`, `name.givenName`. */
interface Path {
  attribute: string;
  filter?: Filter;
  sub?: string;
}

const MAX_PATH_CHARACTERS = 4_000;
const NAME = /^[A-Za-z$][\w$-]*$/;

/** @throws BadRequest `scim_path_invalid`, `scim_filter_invalid`. */
function parsePath(schema: ResourceSchema, text: string): Path {
  if (text.length > MAX_PATH_CHARACTERS) throw invalidPath(text.slice(0, 100));
  const path = withoutUrn(schema, text.trim());
  // an attribute of an extension, none of which is kept; its dots are no sub-attributes
  if (path.toLowerCase().startsWith("urn:")) return { attribute: path };
  const open = path.indexOf("[");
  const close = path.lastIndexOf("]");
  if (open < 0) {
    const [attribute = "", sub, ...rest] = path.split(".");
    return toPath(text, attribute, sub, rest.length > 0);
  }
  const after = path.slice(close + 1);
  const isWrong = close < open || (after !== "" && !after.startsWith("."));
  return {
    ...toPath(
      text,
      path.slice(0, open),
      after === "" ? undefined : after.slice(1),
      isWrong,
    ),
    filter: parseFilter(path.slice(open + 1, close), schema.patch.maxTerms),
  };
}

function toPath(
  text: string,
  attribute: string,
  sub: string | undefined,
  isWrong: boolean,
): Path {
  if (isWrong || !NAME.test(attribute) || (sub !== undefined && !NAME.test(sub)))
    throw invalidPath(text);
  return { attribute, ...(sub !== undefined && { sub }) };
}

/** The resource after the changes. The given one stays as it is. */
export function applyChanges(resource: Resource, changes: readonly Change[]): Resource {
  return changes.reduce(applyChange, structuredClone(resource));
}

function applyChange(resource: Resource, change: Change): Resource {
  const { attribute, sub, filter, op } = change;
  const before = resource[attribute.name];
  const next =
    filter || (sub && attribute.multiValued)
      ? changeValues(toList(before), change)
      : sub
        ? changePart(isRecord(before) ? before : {}, sub, change)
        : changeWhole(before, change);
  const after = attribute.multiValued ? withOnePrimary(toList(next), toList(before)) : next;
  const { maxValues = Infinity } = attribute;
  if (toList(after).length > maxValues) throw tooMany(attribute.name, maxValues);
  const isUnassigned =
    after === undefined ||
    (Array.isArray(after) && after.length === 0) ||
    (op !== "add" && isRecord(after) && Object.keys(after).length === 0);
  if (isUnassigned) delete resource[attribute.name];
  else resource[attribute.name] = after;
  return resource;
}

function changeWhole(before: unknown, { op, attribute, value: read }: Change): unknown {
  if (op === "remove") return undefined;
  if (op === "replace" && attribute.type === "complex" && !attribute.multiValued)
    // replaces what it names and keeps the rest (RFC 7644, 3.5.2.3)
    return isRecord(before) && isRecord(read) ? { ...before, ...read } : read;
  if (op === "replace" || read === undefined) return read;
  if (attribute.multiValued) return union(toList(before), toList(read));
  return isRecord(before) && isRecord(read) ? { ...before, ...read } : read;
}

function changePart(
  before: Record<string, unknown>,
  sub: Attribute,
  { op, value: read }: Pick<Change, "op" | "value">,
): Record<string, unknown> {
  const { [sub.name]: _, ...others } = before;
  return op === "remove" || read === undefined ? others : { ...others, [sub.name]: read };
}

/**
 * Changes the values that fit the filter. Entra sets `emails[type eq "work"].value` whether there
 * is such an email or not, so one is made from what the filter asks for.
 */
function changeValues(values: Complex[], change: Change): Complex[] {
  const { op, sub, attribute, filter } = change;
  const fits = (value: Complex) => !filter || matches(filter, attribute, value);
  if (op === "remove" && !sub) return values.filter((value) => !fits(value));
  const changeOne = (value: Complex): Complex => {
    if (sub) return changePart(value, sub, change);
    const [read] = toList(change.value);
    return { ...value, ...read };
  };
  if (op !== "remove" && !values.some(fits)) {
    const made = changeOne(filter ? askedBy(filter, attribute) : {});
    return [...values, made];
  }
  return values
    .map((value) => (fits(value) ? changeOne(value) : value))
    .filter((value) =>
      Object.keys(value).some((key) => key !== "type" && key !== "primary"),
    );
}

type Complex = Record<string, unknown>;

/** Whether a value fits the part of a path in brackets. @throws BadRequest `scim_path_invalid`. */
function matches(filter: Filter, attribute: Attribute, value: Complex): boolean {
  const all = (part: Filter) => matches(part, attribute, value);
  if (filter.kind === "and") return filter.parts.every(all);
  if (filter.kind === "or") return filter.parts.some(all);
  if (filter.kind === "not") return !all(filter.part);
  if (filter.kind === "value") throw invalidPath(filter.path);
  const sub = findAttribute(attribute.subAttributes, filter.path);
  if (!sub) throw invalidPath(`${attribute.name}.${filter.path}`);
  const own = value[sub.name];
  if (filter.kind === "present") return own !== undefined;
  const asked = sub.type === "boolean" ? readValue(sub, filter.value) : filter.value;
  // an email without `primary` is not the primary one
  const [a, b] = [
    comparable(sub, own ?? (sub.type === "boolean" ? false : "")),
    comparable(sub, asked),
  ];
  if (filter.operator === "eq") return a === b;
  if (filter.operator === "ne") return a !== b;
  if (filter.operator === "co") return a.includes(b);
  if (filter.operator === "sw") return a.startsWith(b);
  if (filter.operator === "ew") return a.endsWith(b);
  throw invalidPath(`${attribute.name}[${filter.path} ${filter.operator}]`);
}

function comparable({ caseExact }: Attribute, value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? "");
  return caseExact ? text : text.toLowerCase();
}

/** The value that the equations of a filter describe. */
function askedBy(filter: Filter, attribute: Attribute): Complex {
  if (filter.kind === "and")
    return Object.assign(
      {},
      ...filter.parts.map((part) => askedBy(part, attribute)),
    ) as Complex;
  if (filter.kind !== "compare" || filter.operator !== "eq") return {};
  const sub = findAttribute(attribute.subAttributes, filter.path);
  return sub ? { [sub.name]: readValue(sub, filter.value) } : {};
}

function toList(value: unknown): Complex[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Adding a value that is there already changes nothing, except what it says more of it. */
function union(before: Complex[], added: Complex[]): Complex[] {
  const sameAs = (one: Complex) => (other: Complex) =>
    other["value"] === one["value"] &&
    (other["type"] ?? one["type"]) === (one["type"] ?? other["type"]);
  const kept = before.map((one) => ({ ...one, ...added.find(sameAs(one)) }));
  return [...kept, ...added.filter((one) => !before.some(sameAs(one)))];
}

/** At most one value is the primary one (RFC 7643, 2.4): of two the one that is so newly. */
function withOnePrimary(values: Complex[], before: Complex[]): Complex[] {
  const primaries = values.filter(({ primary }) => primary === true);
  if (primaries.length < 2) return values;
  const was = new Set(
    before.filter(({ primary }) => primary === true).map(({ value }) => value),
  );
  const chosen = primaries.findLast(({ value }) => !was.has(value)) ?? primaries[0];
  return values.map((one) =>
    one["primary"] === true && one !== chosen ? { ...one, primary: false } : one,
  );
}

function readOnly(name: string): BadRequest {
  return new BadRequest(
    "scim_read_only",
    `The attribute "${name}" cannot be changed. Leave it out.`,
    { params: { attribute: name } },
  );
}

function pathMissing(): BadRequest {
  return new BadRequest(
    "scim_path_missing",
    "An operation needs a path, or an object of attributes as its value. Send one of both.",
  );
}
