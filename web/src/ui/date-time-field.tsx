import { CalendarDays } from "lucide-react";
import { type ReactNode, useId, useRef, useState } from "react";
import { dayPattern, readDay, writeDay } from "../texts/day.ts";
import { Field, INPUT_LOOK } from "./field.tsx";
import { IconButton } from "./icon-button.tsx";
import { useUiTexts } from "./texts.ts";

interface DateTimeFieldProps {
  label: string;
  hint?: ReactNode;
  /** As ISO 8601 has it, or `null` for none. */
  value: string | null;
  onChange: (time: string | null) => void;
}

const FIRST_OF_DAY = "00:00";

/**
 * A day and a time of day, in the zone of the reader, written as the app's language writes them:
 * the browser's own field follows the browser's language. Without a day there is none.
 */
export function DateTimeField({ label, hint, value, onChange }: DateTimeFieldProps) {
  const texts = useUiTexts();
  const timeId = useId();
  const calendar = useRef<HTMLInputElement>(null);
  const given = value === null ? undefined : toLocal(value);
  /** While they are no day, and no time. */
  const [typedDay, setTypedDay] = useState<string>();
  const [typedTime, setTypedTime] = useState<string>();
  const [isWrong, setWrong] = useState(false);
  const take = (day: string | undefined, time: string | undefined) => {
    setWrong(false);
    if (day === "") onChange(null);
    else if (day !== undefined && time !== undefined) onChange(fromLocal(day, time));
  };
  const takeDay = (text: string) => {
    const day = text.trim() === "" ? "" : readDay(text);
    setTypedDay(day === undefined ? text : undefined);
    take(day, given?.time ?? FIRST_OF_DAY);
  };
  const takeTime = (text: string) => {
    const time = readTime(text);
    const isWhole = time !== undefined && time === text;
    setTypedTime(isWhole ? undefined : text);
    if (given) take(given.day, time);
  };
  const blur = () => {
    if (typedTime !== undefined && readTime(typedTime) !== undefined)
      setTypedTime(undefined);
    else setWrong(typedDay !== undefined || typedTime !== undefined);
  };
  const error = isWrong
    ? texts.notADay(`${dayPattern(texts.day)} ${FIRST_OF_DAY}`)
    : undefined;
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <div className="relative flex flex-wrap items-center gap-2">
          <div className="relative w-44">
            <input
              {...control}
              inputMode="numeric"
              autoComplete="off"
              maxLength={20}
              placeholder={dayPattern(texts.day)}
              value={typedDay ?? writeDay(given?.day ?? "")}
              onChange={({ target }) => takeDay(target.value)}
              onBlur={blur}
              className={`${INPUT_LOOK} pr-10 tabular-nums`}
            />
            <IconButton
              icon={CalendarDays}
              label={`${label}: ${texts.calendar}`}
              onClick={() => calendar.current?.showPicker()}
              className="absolute inset-y-0 right-0.5 my-auto"
            />
            <input
              ref={calendar}
              type="date"
              tabIndex={-1}
              aria-hidden
              value={given?.day ?? ""}
              onChange={({ target }) => takeDay(target.value)}
              className="pointer-events-none absolute bottom-0 left-0 h-px w-full opacity-0"
            />
          </div>
          <label htmlFor={timeId} className="sr-only">
            {`${label}: ${texts.timeOfDay}`}
          </label>
          <div className="w-20">
            <input
              id={timeId}
              inputMode="numeric"
              autoComplete="off"
              maxLength={5}
              placeholder={FIRST_OF_DAY}
              value={typedTime ?? given?.time ?? ""}
              disabled={!given}
              onChange={({ target }) => takeTime(target.value)}
              onBlur={blur}
              className={`${INPUT_LOOK} tabular-nums`}
            />
          </div>
        </div>
      )}
    </Field>
  );
}

/** @returns `HH:MM`; undefined where the text is no time of a day. */
function readTime(text: string): string | undefined {
  const [, hour = "", minute = "00"] =
    /^(\d{1,2})(?:[:.](\d{2}))?$/.exec(text.trim()) ?? [];
  if (hour === "" || Number(hour) > 23 || Number(minute) > 59) return undefined;
  return `${hour.padStart(2, "0")}:${minute}`;
}

const two = (number: number) => String(number).padStart(2, "0");

function toLocal(time: string): { day: string; time: string } {
  const at = new Date(time);
  return {
    day: `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`,
    time: `${two(at.getHours())}:${two(at.getMinutes())}`,
  };
}

function fromLocal(day: string, time: string): string {
  return new Date(`${day}T${time}`).toISOString();
}
