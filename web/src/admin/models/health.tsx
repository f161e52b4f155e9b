import { CircleAlert, CircleCheck, type LucideIcon, Minus } from "lucide-react";
import { type PointerEvent, useState } from "react";
import { toReportedFailure } from "../../api/failure.ts";
import { useErrorText } from "../../texts/errors.ts";
import {
  formatAgo,
  formatClock,
  formatRoughDuration,
  formatNumber,
  formatTime,
} from "../../texts/format.ts";
import { join } from "../../ui/join.ts";
import { useHealthTexts } from "./health-texts.ts";
import type { ProviderHealth } from "./queries.ts";

type Hour = ProviderHealth["hours"][number];
type Texts = ReturnType<typeof useHealthTexts>;

const HOUR_MS = 3_600_000;
/** In hundredths of the height: a bar of a quick hour can still be pointed at. */
const LOWEST = 25;
const HIGHEST = 100;

interface HealthProps {
  health: ProviderHealth;
  /** As it is shown. */
  provider: string;
}

/** How the calls to a provider ended in the last 24 hours: a bar an hour, and in words. */
export function Health({ health, provider }: HealthProps) {
  const texts = useHealthTexts();
  const { hours } = health;
  const [chosen, setChosen] = useState<number>();
  const hour = chosen === undefined ? undefined : hours[chosen];
  return (
    <div className="grid gap-2">
      <div className="relative h-7">
        <Hours
          label={texts.chart(provider)}
          hours={hours}
          chosen={chosen}
          onChoose={setChosen}
        />
        <Bars hours={hours} chosen={chosen} />
      </div>
      {hour ? (
        <p className="min-h-5 text-xs text-muted">{wordHour(hour, texts)}</p>
      ) : (
        <Summary health={health} />
      )}
      {health.lastFailure && <LastFailure of={health.lastFailure} />}
    </div>
  );
}

interface HoursProps {
  label: string;
  hours: readonly Hour[];
  chosen: number | undefined;
  onChoose: (at: number | undefined) => void;
}

/**
 * Chooses an hour to read: by pointing, by touch, by the arrow keys. The browser's own control lies
 * above the bars, so that screen readers can step through them.
 */
function Hours({ label, hours, chosen, onChoose }: HoursProps) {
  const texts = useHealthTexts();
  const last = hours.length - 1;
  const shown = hours[chosen ?? last];
  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const at = Math.floor(((clientX - left) / width) * hours.length);
    onChoose(Math.min(last, Math.max(0, at)));
  };
  return (
    <input
      type="range"
      min={0}
      max={last}
      step={1}
      value={chosen ?? last}
      aria-label={label}
      aria-valuetext={shown && wordHour(shown, texts)}
      onChange={({ target }) => onChoose(Number(target.value))}
      onPointerDown={point}
      onPointerMove={point}
      onPointerLeave={({ pointerType }) => pointerType === "mouse" && onChoose(undefined)}
      onFocus={() => onChoose(chosen ?? last)}
      onBlur={() => onChoose(undefined)}
      className="peer absolute inset-x-0 -inset-y-2 z-1 m-0 h-11 w-full cursor-default opacity-0"
    />
  );
}

function Bars({ hours, chosen }: Pick<HoursProps, "hours" | "chosen">) {
  const slowest = Math.max(1, ...hours.map(({ firstTokenMs }) => firstTokenMs ?? 0));
  return (
    <div
      aria-hidden
      className={
        "flex h-full items-end gap-0.5 rounded-sm outline-offset-3 outline-accent " +
        "peer-focus-visible:outline-2"
      }
    >
      {hours.map((hour, at) => {
        const failed = failedOf(hour) / Math.max(hour.calls, 1);
        return (
          <span
            key={hour.startsAt}
            data-failed={failed > 0 || undefined}
            className={join(
              "flex min-h-0.5 flex-1 flex-col overflow-hidden rounded-[1px]",
              at === chosen && "bg-accent",
              at !== chosen && (hour.calls > 0 ? "bg-accent-line" : "bg-hairline-strong"),
            )}
            style={{ height: `${heightOf(hour, slowest)}%` }}
          >
            {failed > 0 && (
              <span
                className="min-h-1.5 shrink-0 bg-danger"
                style={{ height: `${failed * 100}%` }}
              />
            )}
          </span>
        );
      })}
    </div>
  );
}

/** By the time until the first word; where none came in time, as high as can be. */
function heightOf({ calls, firstTokenMs, failures }: Hour, slowest: number): number {
  if (calls === 0) return 0;
  if (firstTokenMs === null) return failures.length > 0 ? HIGHEST : LOWEST;
  return LOWEST + (firstTokenMs / slowest) * (HIGHEST - LOWEST);
}

function failedOf({ failures }: Pick<Hour, "failures">): number {
  return failures.reduce((sum, { calls }) => sum + calls, 0);
}

function wordHour(hour: Hour, texts: Texts): string {
  const end = new Date(Date.parse(hour.startsAt) + HOUR_MS).toISOString();
  const words = hour.calls === 0 ? texts.none : wordCalls(hour, texts);
  return texts.hour(formatClock(hour.startsAt), formatClock(end), words);
}

/** "12 calls, 2 failed (2 over the limit), first word after 310 ms". */
function wordCalls(
  { calls, failures, firstTokenMs }: Omit<Hour, "startsAt">,
  texts: Texts,
): string {
  const count = texts.calls(calls, formatNumber(calls));
  const how = failures.map((one) => texts.failures[one.how](formatNumber(one.calls)));
  const ends =
    failures.length === 0
      ? texts.allAnswered(count)
      : texts.someFailed(count, formatNumber(failedOf({ failures })), how.join(", "));
  const time = firstTokenMs === null ? undefined : wordTime(firstTokenMs);
  return time === undefined ? ends : `${ends}, ${texts.firstToken(time)}`;
}

function wordTime(ms: number): string {
  return formatRoughDuration(ms);
}

/** The state now, and the sum of the day. */
function Summary({
  health: { hours, lastAnswerAt, lastFailure },
}: Pick<HealthProps, "health">) {
  const texts = useHealthTexts();
  const calls = hours.reduce((sum, hour) => sum + hour.calls, 0);
  if (calls === 0) return <State icon={Minus} label={texts.quiet} />;
  const fails = lastFailure !== null && (lastAnswerAt ?? "") < lastFailure.at;
  const failed = hours.reduce((sum, hour) => sum + failedOf(hour), 0);
  const count = texts.calls(calls, formatNumber(calls));
  const newest = hours.findLast(({ firstTokenMs }) => firstTokenMs !== null);
  const facts = [
    failed > 0 ? texts.failedOf(formatNumber(failed), count) : count,
    newest?.firstTokenMs != null && texts.firstToken(wordTime(newest.firstTokenMs)),
  ];
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3 text-xs text-muted">
      <State
        icon={fails ? CircleAlert : CircleCheck}
        label={fails ? texts.fails : failed > 0 ? texts.answers : texts.well}
        isBad={fails}
      />
      <span className="tabular-nums">{facts.filter(Boolean).join(" · ")}</span>
    </div>
  );
}

interface StateProps {
  icon: LucideIcon;
  label: string;
  isBad?: boolean;
}

function State({ icon: Icon, label, isBad = false }: StateProps) {
  return (
    <span
      className={join(
        "flex min-h-5 items-center gap-1.5 text-xs",
        isBad ? "font-medium text-danger" : "text-muted",
      )}
    >
      <Icon aria-hidden size={14} className="shrink-0" />
      {label}
    </span>
  );
}

function LastFailure({ of }: { of: NonNullable<ProviderHealth["lastFailure"]> }) {
  const texts = useHealthTexts();
  const words = useErrorText(toReportedFailure(of));
  return (
    <p className="text-xs wrap-anywhere text-muted" title={formatTime(of.at)}>
      {texts.lastFailure(formatAgo(of.at))} {words}
    </p>
  );
}
