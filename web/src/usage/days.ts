const DAY_MS = 86_400_000;

/** The first of the last `count` days, today included, as `YYYY-MM-DD` in UTC. */
export function firstDay(count: number, now = Date.now()): string {
  return toDay(now - (count - 1) * DAY_MS);
}

/** Every one of the last days in order; a report leaves out those on which nothing was used. */
export function lastDays(count: number, now = Date.now()): string[] {
  return Array.from({ length: count }, (_, at) => toDay(now - (count - 1 - at) * DAY_MS));
}

function toDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
