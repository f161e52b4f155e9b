import { Cron } from "croner";
import { BadRequest } from "../../../platform/http/errors.ts";

/**
 * The first minute after `from` that a schedule names in its time zone; `null` if there is none. A
 * time that daylight saving skips runs in the next hour; a time that occurs twice runs once.
 * @throws BadRequest `cron_invalid`, `time_zone_invalid`.
 */
export function nextTick(
  { cron, timeZone }: { cron: string; timeZone: string },
  from: Date,
): Date | null {
  try {
    Intl.DateTimeFormat("en", { timeZone });
  } catch {
    throw new BadRequest(
      "time_zone_invalid",
      `"${timeZone}" is not a time zone. Use an IANA name, such as Europe/Berlin.`,
      { params: { name: timeZone } },
    );
  }
  try {
    return new Cron(cron, { timezone: timeZone, mode: "5-part", paused: true }).nextRun(
      from,
    );
  } catch {
    throw new BadRequest(
      "cron_invalid",
      `"${cron}" is not a cron expression. ` +
        "Give minute, hour, day of month, month and day of week: 0 9 * * 1-5.",
      { params: { cron } },
    );
  }
}

/** @throws BadRequest `cron_never` for a date that never occurs, and what `nextTick` throws. */
export function firstTick(schedule: { cron: string; timeZone: string }, from: Date): Date {
  const next = nextTick(schedule, from);
  if (next) return next;
  throw new BadRequest(
    "cron_never",
    `"${schedule.cron}" never occurs, like 31 February. Change the day or the month.`,
    { params: { cron: schedule.cron } },
  );
}

/** The next times of a schedule, at most `count`. @throws what `firstTick` throws. */
export function nextTicks(
  schedule: { cron: string; timeZone: string },
  from: Date,
  count: number,
): Date[] {
  const ticks = [firstTick(schedule, from)];
  while (ticks.length < count) {
    const next = nextTick(schedule, ticks.at(-1) ?? from);
    if (!next) break;
    ticks.push(next);
  }
  return ticks;
}
