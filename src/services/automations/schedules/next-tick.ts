import { Cron } from "croner";
import { BadRequest } from "../../../platform/http/errors.ts";

/**
 * The first minute after `from` that a schedule names in its time zone; `null` where there is none
 * any more. An hour that the clock skips in spring is made up for by the next, and one that comes
 * twice in autumn counts once.
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
      `"${timeZone}" is no time zone. Use an IANA name, such as Europe/Berlin.`,
    );
  }
  try {
    return new Cron(cron, { timezone: timeZone, mode: "5-part", paused: true }).nextRun(from);
  } catch {
    throw new BadRequest(
      "cron_invalid",
      `"${cron}" is no schedule. Give minute, hour, day of month, month and day of week: 0 9 * * 1-5.`,
    );
  }
}

/** @throws BadRequest `cron_never` for a date that never comes, and what `nextTick` throws. */
export function firstTick(schedule: { cron: string; timeZone: string }, from: Date): Date {
  const next = nextTick(schedule, from);
  if (next) return next;
  throw new BadRequest(
    "cron_never",
    `"${schedule.cron}" never comes, as 31 February. Change the day or the month.`,
  );
}
