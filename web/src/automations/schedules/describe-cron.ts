import cronstrue from "cronstrue";
// oxlint-disable-next-line import/no-unassigned-import -- it adds German to cronstrue
import "cronstrue/locales/de";
import { hasDayPeriods } from "../../texts/format.ts";
import { currentLanguage } from "../../texts/language.ts";

/** Times that name no day: within every hour, "every day" says nothing more. */
const EVERY_HOUR = /^\s*(?:\S+\s+\*|@hourly)/i;

/** A cron expression as a sentence: "At 09:00, Monday through Friday"; undefined if it has none. */
export function describeCron(cron: string): string | undefined {
  const periods = hasDayPeriods();
  try {
    return cronstrue.toString(cron, {
      locale: currentLanguage(),
      verbose: !EVERY_HOUR.test(cron),
      use24HourTimeFormat: !periods,
      trimHoursLeadingZero: periods,
    });
  } catch {
    // it throws what is wrong as a string; the server says that in the reader's language
    return undefined;
  }
}
