import type { Budget } from "./contract.ts";

const DAY_MS = 86_400_000;

/** Returns the first day of the period of a moment, as `YYYY-MM-DD` in UTC. */
export function periodStart(period: Budget["period"], at: Date): string {
  const day = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()));
  if (period === "week") day.setTime(day.getTime() - ((day.getUTCDay() + 6) % 7) * DAY_MS);
  if (period === "month") day.setUTCDate(1);
  return period === "total" ? "1970-01-01" : day.toISOString().slice(0, 10);
}

/** Returns the start of the current period; `null`: it has none. */
export function startsAt(period: Budget["period"], at: Date): string | null {
  return period === "total" ? null : `${periodStart(period, at)}T00:00:00.000Z`;
}

/** Returns the start of the next period; `null`: never. */
export function resetsAt(period: Budget["period"], at: Date): string | null {
  if (period === "total") return null;
  const start = new Date(`${periodStart(period, at)}T00:00:00Z`);
  if (period === "month") start.setUTCMonth(start.getUTCMonth() + 1);
  else start.setTime(start.getTime() + (period === "week" ? 7 : 1) * DAY_MS);
  return start.toISOString();
}
