import pg from "pg";
import { Unavailable } from "../http/errors.ts";

/** Whether an error is a violation of a unique constraint: of any, or of the one named. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!(error instanceof pg.DatabaseError) || error.code !== "23505") return false;
  return constraint === undefined || error.constraint === constraint;
}

/** Whether a value is none that the database knows, such as the name of a time zone. */
export function isUnknownValue(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "22023";
}

/** Whether an error is a violation of a foreign key. */
export function isForeignKeyViolation(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "23503";
}

/** Whether a statement names a table that does not exist. */
export function isUndefinedTable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "42P01";
}

export function databaseUnavailable(cause?: unknown): Unavailable {
  const sentence = "The database does not answer. Try again in a moment.";
  return new Unavailable("database_unavailable", sentence, 5_000, { cause });
}

/** The database ended a statement at its time limit. */
export function tooSlow(cause?: unknown): Unavailable {
  const sentence =
    "The database took too long for this. Ask for less at once, or try again in a moment.";
  return new Unavailable("database_too_slow", sentence, 10_000, { cause });
}

/** SQLSTATE `query_canceled`: nothing else in the program cancels statements. */
export function isTooSlow(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "57014";
}

export function diskFull(cause?: unknown): Unavailable {
  const sentence =
    "The server's disk is full. An administrator must free space in the data folder.";
  return new Unavailable("disk_full", sentence, 30_000, { cause });
}

/** SQLSTATE `disk_full`, or a write of the database's own files that found no space. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return error.code === "53100" || /no space left on device/i.test(error.message);
}

/** Codes of the system, and SQLSTATEs of PostgreSQL: shutdown, too many connections. */
const UNAVAILABLE_CODES = [
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOENT",
  "ENOTFOUND",
  "ETIMEDOUT",
  "57P01",
  "57P02",
  "57P03",
  "53300",
];

/** Whether the connection was lost or the database is unavailable. SQLSTATE class 08 as well. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  if (UNAVAILABLE_CODES.includes(code) || code.startsWith("08")) return true;
  return /connection (terminated|ended)|not queryable/i.test(error.message);
}
