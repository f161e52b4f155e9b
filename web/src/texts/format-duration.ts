import { formatNumber } from "./format.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** A length of time in its largest whole unit, and the next one: "3 min 5 sec". */
export function formatDuration(durationMs: number): string {
  if (durationMs < SECOND_MS) return unit(durationMs / SECOND_MS, "second", 1);
  if (durationMs < MINUTE_MS) return unit(Math.floor(durationMs / SECOND_MS), "second");
  const [large, largeName, small, smallName] =
    durationMs < HOUR_MS
      ? ([MINUTE_MS, "minute", SECOND_MS, "second"] as const)
      : ([HOUR_MS, "hour", MINUTE_MS, "minute"] as const);
  const rest = Math.floor((durationMs % large) / small);
  const whole = unit(Math.floor(durationMs / large), largeName);
  return rest === 0 ? whole : `${whole} ${unit(rest, smallName)}`;
}

function unit(value: number, name: string, maximumFractionDigits = 0): string {
  return formatNumber(value, {
    style: "unit",
    unit: name,
    unitDisplay: "short",
    maximumFractionDigits,
  });
}
