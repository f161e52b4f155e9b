import { type Days, readFilters, toTimes } from "../filter.ts";

/** The filters of the log, as the address has them. */
export interface AuditFilter extends Days {
  /** An action, or its first part with a dot. */
  action?: string;
  resourceType?: string;
  resourceId?: string;
  actorId?: string;
}

const NAMES = ["action", "resourceType", "resourceId", "actorId"] as const;

export function readFilter(search: Record<string, unknown>): AuditFilter {
  return readFilters(search, NAMES);
}

/** The filter in the form of the API. */
export function toQuery(filter: AuditFilter) {
  return { ...filter, ...toTimes(filter) };
}
