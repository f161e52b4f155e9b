import { CalendarDays } from "lucide-react";
import { useId, useRef, useState } from "react";
import { dayPattern, readDay, writeDay } from "../texts/day.ts";
import { IconButton } from "./icon-button.tsx";
import { join } from "./join.ts";
import { useUiTexts } from "./texts.ts";

interface DateFieldProps {
  label: string;
  /** `YYYY-MM-DD`, or "" for any. */
  value: string;
  onChange: (day: string) => void;
}

/**
 * A day as a filter, as high as the others, written as the app's language writes it: the browser's
 * own field follows the browser's language. Its calendar opens from the button.
 */
export function DateField({ label, value, onChange }: DateFieldProps) {
  const texts = useUiTexts();
  const id = useId();
  const calendar = useRef<HTMLInputElement>(null);
  /** While it is no day. */
  const [typed, setTyped] = useState<string>();
  const [isWrong, setWrong] = useState(false);
  const take = (text: string) => {
    const day = text.trim() === "" ? "" : readDay(text);
    setTyped(day === undefined ? text : undefined);
    setWrong(false);
    if (day !== undefined && day !== value) onChange(day);
  };
  return (
    <span
      className={join(
        "relative inline-flex min-h-9 max-w-full items-center rounded-md pl-2.5 text-muted",
        "pointer-coarse:min-h-11 focus-within:outline-2 focus-within:outline-accent",
        // as those beside it
        "max-sm:-ml-2.5 max-sm:mr-2.5",
        value === "" ? "hover:bg-hover" : "bg-accent-soft",
        isWrong && "outline-2 outline-danger",
      )}
    >
      <label htmlFor={id} className="shrink-0">
        {label}
      </label>
      <input
        id={id}
        inputMode="numeric"
        autoComplete="off"
        maxLength={20}
        placeholder={dayPattern(texts.day)}
        value={typed ?? writeDay(value)}
        aria-invalid={isWrong || undefined}
        title={isWrong ? texts.notADay(dayPattern(texts.day)) : undefined}
        onChange={({ target }) => take(target.value)}
        onBlur={() => setWrong(typed !== undefined)}
        className={join(
          "min-h-9 w-[5.875rem] bg-transparent pl-1.5 font-medium tabular-nums outline-none",
          "placeholder:font-normal placeholder:text-muted pointer-coarse:min-h-11",
          value === "" ? "text-ink" : "text-accent",
        )}
      />
      <IconButton
        icon={CalendarDays}
        label={`${label}: ${texts.calendar}`}
        onClick={() => calendar.current?.showPicker()}
      />
      <input
        ref={calendar}
        type="date"
        tabIndex={-1}
        aria-hidden
        value={value}
        onChange={({ target }) => take(target.value)}
        className="pointer-events-none absolute bottom-0 left-0 h-px w-full opacity-0"
      />
    </span>
  );
}
