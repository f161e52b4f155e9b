import { currentLocale } from "./language.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A time as people say it: "5 minutes ago", "yesterday", "12 March". It stays in one line. */
export function formatAgo(time: string, now = Date.now()): string {
  return agoOf(time, now).replaceAll(" ", "\u00a0");
}

function agoOf(time: string, now: number): string {
  const age = now - Date.parse(time);
  const relative = new Intl.RelativeTimeFormat(currentLocale(), { numeric: "auto" });
  if (age < MINUTE_MS) return relative.format(0, "second");
  if (age < HOUR_MS) return relative.format(-Math.floor(age / MINUTE_MS), "minute");
  if (age < DAY_MS) return relative.format(-Math.floor(age / HOUR_MS), "hour");
  if (age < 7 * DAY_MS) return relative.format(-Math.floor(age / DAY_MS), "day");
  return formatDate(time);
}

export function formatDate(time: string): string {
  return new Intl.DateTimeFormat(currentLocale(), { dateStyle: "medium" }).format(
    new Date(time),
  );
}

/** A day as reports name it, `YYYY-MM-DD`: the same day in every zone. */
export function formatDay(day: string): string {
  const options = { dateStyle: "medium", timeZone: "UTC" } as const;
  return new Intl.DateTimeFormat(currentLocale(), options).format(new Date(day));
}

export function formatTime(time: string): string {
  const options = { dateStyle: "medium", timeStyle: "short" } as const;
  return new Intl.DateTimeFormat(currentLocale(), options).format(new Date(time));
}

/** The time of a day: "14:05". */
export function formatClock(time: string): string {
  return new Intl.DateTimeFormat(currentLocale(), { timeStyle: "short" }).format(
    new Date(time),
  );
}

/** Whether the reader's times are written with AM and PM. */
export function hasDayPeriods(): boolean {
  const { hour12 } = new Intl.DateTimeFormat(currentLocale(), {
    timeStyle: "short",
  }).resolvedOptions();
  return hour12 ?? false;
}

export function formatNumber(
  value: number,
  options: Intl.NumberFormatOptions = {},
): string {
  return new Intl.NumberFormat(currentLocale(), options).format(value);
}

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];

export function formatBytes(bytes: number): string {
  const power =
    bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  return formatNumber(bytes / 1000 ** power, {
    style: "unit",
    unit: UNITS[power],
    // the short form of a byte has no plural
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: power > 1 ? 1 : 0,
  });
}

const SPANS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;

/** A length of time in its largest unit: "3 hours", "1.5 minutes", "20 ms". */
export function formatRoughDuration(durationMs: number): string {
  const show = (value: number, unit: string) =>
    formatNumber(value, {
      style: "unit",
      unit,
      unitDisplay: unit === "millisecond" ? "short" : "long",
      maximumFractionDigits: value < 10 && unit !== "millisecond" ? 1 : 0,
    });
  const span = SPANS.find(([, length]) => durationMs >= length);
  return span ? show(durationMs / span[1], span[0]) : show(durationMs, "millisecond");
}
