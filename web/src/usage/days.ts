/** Where the reader's days begin and end. */
export function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** The first of the last `count` days, today included, as `YYYY-MM-DD` in the reader's zone. */
export function firstDay(count: number, now = new Date()): string {
  return dayBefore(now, count - 1);
}

/** Every one of the last days in order; a report leaves out those on which nothing was used. */
export function lastDays(count: number, now = new Date()): string[] {
  return Array.from({ length: count }, (_, at) => dayBefore(now, count - 1 - at));
}

/** By the calendar: days are not all of the same length. */
function dayBefore(now: Date, days: number): string {
  const date = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate() - days);
  return new Date(date).toISOString().slice(0, 10);
}
