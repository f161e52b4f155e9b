import { useQuery } from "@tanstack/react-query";
import { useSettled } from "../../shell/use-settled.ts";
import { formatTime } from "../../texts/format.ts";
import { currentLocale } from "../../texts/language.ts";
import { Section } from "../../ui/section.tsx";
import { Problem } from "../../ui/states.tsx";
import { describeCron } from "./describe-cron.ts";
import { nextTimesQuery } from "./queries.ts";
import { useScheduleTexts } from "./texts.ts";

/** The next five times, in the reader's own time zone. */
export function NextTimes({ cron, timeZone }: { cron: string; timeZone: string }) {
  const texts = useScheduleTexts();
  const settled = useSettled({ cron, timeZone });
  const { data, error } = useQuery(nextTimesQuery(settled));
  const sentence = describeCron(settled.cron);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Section title={texts.preview} hint={texts.previewHint(zone)}>
      {settled.cron.trim() === "" && <p className="text-muted">{texts.writeFirst}</p>}
      {error ? (
        <Problem error={error} />
      ) : (
        settled.cron.trim() !== "" && (
          <div aria-live="polite" className="grid grid-cols-1 gap-3">
            {sentence && <p className="font-medium">{sentence}</p>}
            <ol className="grid grid-cols-1 gap-1">
              {data?.nextTimes.map((time) => (
                <li key={time} className="tabular-nums">
                  <time dateTime={time}>
                    {weekdayOf(time)}, {formatTime(time)}
                  </time>
                </li>
              ))}
            </ol>
          </div>
        )
      )}
    </Section>
  );
}

function weekdayOf(time: string): string {
  return new Intl.DateTimeFormat(currentLocale(), { weekday: "long" }).format(
    new Date(time),
  );
}
