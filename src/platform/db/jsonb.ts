import sql, { type Sql } from "sql-template-tag";

/**
 * Characters that PostgreSQL cannot store and JSON escapes: NUL, and halves of surrogate pairs. An
 * escape begins after an even number of backslashes.
 */
const UNSTORABLE = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

/**
 * A value for a `jsonb` column; NULL for null and undefined. Characters that PostgreSQL cannot hold
 * become U+FFFD.
 */
export function jsonb(value: unknown): Sql {
  if (value === null || value === undefined) return sql`null::jsonb`;
  return sql`${stringify(value)}::jsonb`;
}

/** The same for `json_to_recordset`, which reads it once: rows in one value. */
export function json(rows: readonly unknown[]): Sql {
  return sql`${stringify(rows)}::json`;
}

function stringify(value: unknown): string {
  return JSON.stringify(value).replace(UNSTORABLE, "$1\ufffd");
}

/** Replaces NUL by U+FFFD in a bound value: in a text, and in texts of arrays. */
export function storable<T>(value: T): T {
  // the type stays: a text for a text, an array for an array
  if (typeof value === "string")
    return (value.includes("\u0000") ? value.replaceAll("\u0000", "\ufffd") : value) as T;
  return Array.isArray(value) ? (value.map(storable) as T) : value;
}
