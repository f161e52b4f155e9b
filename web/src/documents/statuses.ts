import type { StoredDocument } from "./queries.ts";

export type DocumentStatus = StoredDocument["status"];

/** In the order in which a document goes through them. */
export const STATUSES = [
  "UPLOADED",
  "PARSING",
  "PARSED",
  "EMBEDDING",
  "PROCESSED",
  "FAILED",
] as const satisfies readonly DocumentStatus[];

export function isStatus(value: unknown): value is DocumentStatus {
  return STATUSES.some((status) => status === value);
}
