import { z } from "zod";
import type { AnyRoute } from "../../src/platform/http/route.ts";

/** Fields that no request may set. The tests send them. */

/** Fields that only the server sets. */
export const PROTECTED = [
  "id",
  "ownerId",
  "userId",
  "clientId",
  "createdAt",
  "createdBy",
  "builtIn",
  "version",
  "disabled",
  "size",
  "sha256",
];
/**
 * The same for routes where a change may update a field of the server, with further names that no
 * request sets.
 */
const FORGED = [
  ...PROTECTED,
  "tenantId",
  "updatedAt",
  "updatedBy",
  "deletedAt",
  "lastUsedAt",
  "expiresAt",
  "status",
  "role",
  "roles",
  "scopes",
  "permissions",
  "isAdmin",
  "password",
  "passwordHash",
  "tokenHash",
  "secret",
  "fromEnvironment",
  "available",
  "usage",
  "cost",
  "spent",
  "progress",
  "runId",
  "jobId",
  "sharedWith",
  "accessRole",
];
/** Returns the JSON of a value with further fields at the start of each of its objects. */
export function withForged(value: unknown, names: readonly string[]): string {
  if (Array.isArray(value))
    return `[${value.map((inner) => withForged(inner, names)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  // as JSON, since an object literal has no own field of the first name
  const foreign = [
    '"__proto__":{"polluted":1}',
    '"constructor":{"prototype":{"polluted":1}}',
  ];
  const forged = names
    .filter((name) => !(name in value))
    .map((name) => `"${name}":"forged"`);
  const own = Object.entries(value).map(
    ([name, inner]) => `${JSON.stringify(name)}:${withForged(inner, names)}`,
  );
  return `{${[...foreign, ...forged, ...own].join(",")}}`;
}
/** Returns the forged names that a route does not declare at any depth. */
export function unknownTo({ body }: AnyRoute): string[] {
  const known = namesIn(
    body instanceof z.ZodType
      ? z.toJSONSchema(body, { io: "input", unrepresentable: "any" })
      : {},
  );
  return FORGED.filter((name) => !known.has(name));
}

function namesIn(schema: unknown, found = new Set<string>()): Set<string> {
  if (typeof schema !== "object" || schema === null) return found;
  for (const [key, inner] of Object.entries(schema)) {
    if (key === "properties")
      for (const name of Object.keys(inner as object)) found.add(name); // of a JSON Schema
    namesIn(inner, found);
  }
  return found;
}
/** Finds where an answer has a forged value in a field that the earlier answer also had. */
export function forgedIn(before: unknown, after: unknown, path = ""): string[] {
  if (
    typeof before !== "object" ||
    before === null ||
    typeof after !== "object" ||
    after === null
  )
    return [];
  const fields = new Map(Object.entries(before));
  return Object.entries(after).flatMap(([name, inner]) =>
    inner === "forged" && fields.has(name)
      ? [`${path}.${name}`]
      : forgedIn(fields.get(name), inner, `${path}.${name}`),
  );
}
