import sql, { type Sql } from "sql-template-tag";

/** What PostgreSQL's text cannot hold: NUL, and halves of surrogate pairs, which JSON escapes. */
const UNSTORABLE = /(?<=(?:^|[^\\])(?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/gi;

/**
 * A value for a `jsonb` column; NULL for null and undefined. Characters that PostgreSQL cannot hold
 * become U+FFFD.
 */
export function jsonb(value: unknown): Sql {
  if (value === null || value === undefined) return sql`null::jsonb`;
  return sql`${JSON.stringify(value).replace(UNSTORABLE, "\ufffd")}::jsonb`;
}

/** The same for a value that is bound: text, and text in arrays. */
export function storable<T>(value: T): T {
  // each keeps its type: a text for a text, an array of as many for an array
  if (typeof value === "string")
    return (value.includes("\u0000") ? value.replaceAll("\u0000", "\ufffd") : value) as T;
  return Array.isArray(value) ? (value.map(storable) as T) : value;
}
