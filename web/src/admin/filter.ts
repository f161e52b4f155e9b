/** Days, `YYYY-MM-DD`, both included. */
export interface Days {
  from?: string;
  to?: string;
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** The filters of these names that an address has. Others, and days that are none, are left out. */
export function readFilters<Name extends string>(
  search: Record<string, unknown>,
  names: readonly Name[],
): Partial<Record<Name, string>> & Days {
  const isSet = ([, value]: [string, unknown]) => typeof value === "string" && value !== "";
  const texts = names.map((name) => [name, search[name]] as [string, unknown]);
  const days = ["from", "to"]
    .map((name) => [name, search[name]] as [string, unknown])
    .filter(([, value]) => DAY.test(String(value)));
  // of these names, and texts
  return Object.fromEntries([...texts, ...days].filter(isSet)) as Partial<
    Record<Name, string>
  > &
    Days;
}

/** Days in the form of the API: two times, of which the second is exclusive. */
export function toTimes({ from, to }: Days): Days {
  return { ...(from && { from: startOf(from) }), ...(to && { to: startOf(to, 1) }) };
}

/** The start of a day in the reader's time zone. */
function startOf(day: string, later = 0): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}
