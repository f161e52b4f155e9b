import type { Run } from "./queries.ts";

export type RunStatus = Run["status"];

export const STATUSES: readonly RunStatus[] = [
  "reading",
  "running",
  "completed",
  "failed",
  "cancelled",
  "unmatched",
];

export function isStatus(value: unknown): value is RunStatus {
  return STATUSES.some((status) => status === value);
}
