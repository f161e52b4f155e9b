import { z } from "zod";
import { MAX_BODY_BYTES } from "./route.ts";

/** The largest value of PostgreSQL's `integer`. */
export const MAX_INT4 = 2_147_483_647;

/** A whole number that fits a column of the type `integer`. */
export function int4(min = 0) {
  return z.number().int().min(min).max(MAX_INT4);
}

/** The same in a path or a query. */
export function int4Text(min = 0) {
  return z.coerce.number().int().min(min).max(MAX_INT4);
}

/** No time zone has an offset over 15:59, and PostgreSQL accepts no other. There is no year 0. */
const STORABLE = /^(?!0000)[^+]*(?:Z|[+-](?:0\d|1[0-5]):[0-5]\d)$/;

/** A time with an offset that fits a column of the type `timestamptz`. */
export function storableTime() {
  return z.iso
    .datetime({ offset: true })
    .max(40)
    .regex(STORABLE, "from the year 1, with an offset of at most 15:59");
}

/** A whole number that fits a column of the type `bigint` and that JSON represents exactly. */
export function int8(min = 0) {
  return z.number().int().min(min).max(Number.MAX_SAFE_INTEGER).meta({ format: "int64" });
}

/** The same in a path or a query. */
export function int8Text(min = 0) {
  return z.coerce
    .number()
    .int()
    .min(min)
    .max(Number.MAX_SAFE_INTEGER)
    .meta({ format: "int64" });
}

/** Text whose length only the limit of the body bounds. */
export function bodyText() {
  return z.string().max(MAX_BODY_BYTES);
}

/** A boolean in a query, where every value is text. */
export function flagText(words?: Parameters<typeof z.stringbool>[0]) {
  return z.string().max(10).pipe(z.stringbool(words)).meta({ type: "boolean" });
}

/** Limits the number of keys of a schema, also in its JSON Schema. */
export function limitKeys<S extends z.ZodType<object>>(
  schema: S,
  maxProperties: number,
): S {
  return schema
    .refine((value) => Object.keys(value).length <= maxProperties, {
      error: `at most ${maxProperties} entries`,
    })
    .meta({ maxProperties });
}

const MAX_KEYS = 10_000;
const MAX_KEY_CHARACTERS = 10_000;

/** A JSON object whose values have no schema. The limits of the whole body bound them. */
export function jsonObject(maxProperties = MAX_KEYS) {
  return limitKeys(
    z.record(z.string().max(MAX_KEY_CHARACTERS), z.unknown()),
    maxProperties,
  );
}

/** Headers that routes answered by `sendFile` declare in their contract. */
export const RANGE_HEADERS = {
  Range:
    "One range of bytes, such as `bytes=0-1023`; several are answered by the whole file",
  "If-Range":
    "The `ETag` that the range belongs to; for another one the whole file is sent",
  "If-None-Match": "An `ETag` that the client has; the same one is answered by 304",
} as const;

/**
 * An identifier that a database keeps as it is. Two others can be the same there, as it stores
 * neither NUL nor half of a surrogate pair: they would name one user.
 */
export const StorableId = z
  .string()
  .min(1)
  // oxlint-disable-next-line no-control-regex
  .regex(/^[^\u0000-\u001f\u007f]+$/, "no control characters")
  // outside of the pattern, which clients may read without the flag for whole characters
  .refine((value) => value.isWellFormed(), "no half of a surrogate pair");
