import sql, { type Sql } from "sql-template-tag";

/** What PostgreSQL's text cannot hold: NUL, and halves of surrogate pairs, which JSON escapes. */
const UNSTORABLE = /(?<=(?:^|[^\\])(?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/gi;

/** A value for a `jsonb` column; NULL for null and undefined. Characters that PostgreSQL cannot hold become U+FFFD. */
export function jsonb(value: unknown): Sql {
  if (value === null || value === undefined) return sql`null::jsonb`;
  return sql`${JSON.stringify(value).replace(UNSTORABLE, "\ufffd")}::jsonb`;
}

/** The same for plain text. */
export function storable(text: string): string {
  return text.includes("\u0000") ? text.replaceAll("\u0000", "\ufffd") : text;
}
