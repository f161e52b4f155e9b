/** The filters of the log, as the address has them. */
export interface AuditFilter {
  /** An action, or its first part with a dot. */
  action?: string;
  resourceType?: string;
  resourceId?: string;
  actorId?: string;
  /** Days, `YYYY-MM-DD`, both included. */
  from?: string;
  to?: string;
}

const DAY = /^\d{4}-\d\d-\d\d$/;

export function readFilter(search: Record<string, unknown>): AuditFilter {
  const text = (name: keyof AuditFilter) => {
    const value = search[name];
    return typeof value === "string" && value !== "" ? { [name]: value } : {};
  };
  const day = (name: "from" | "to") => (DAY.test(String(search[name])) ? text(name) : {});
  return {
    ...text("action"),
    ...text("resourceType"),
    ...text("resourceId"),
    ...text("actorId"),
    ...day("from"),
    ...day("to"),
  };
}

/** The filter in the form of the API: two times, of which the second is exclusive. */
export function toQuery({ from, to, ...filter }: AuditFilter) {
  return {
    ...filter,
    ...(from && { from: startOf(from) }),
    ...(to && { to: startOf(to, 1) }),
  };
}

/** The start of a day in the reader's time zone. */
function startOf(day: string, later = 0): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}
