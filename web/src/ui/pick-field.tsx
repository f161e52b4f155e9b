import { ChevronDown } from "lucide-react";
import { type ComponentProps, useId } from "react";
import { join } from "./join.ts";

interface PickFieldProps extends Omit<ComponentProps<"select">, "id" | "className"> {
  label: string;
}

/** A filter beside a search field: its name and what is chosen, tinted once something is. */
export function PickField({ label, value, ...select }: PickFieldProps) {
  const id = useId();
  const isSet = value !== "" && value !== undefined;
  return (
    <span
      className={join(
        "relative inline-flex min-h-9 max-w-full items-center gap-1.5 rounded-md pl-2.5",
        "text-muted pointer-coarse:min-h-11 focus-within:outline-2 focus-within:outline-accent",
        // where it begins a line, its words stand below those above it
        "max-sm:-ml-2.5 max-sm:mr-2.5",
        isSet ? "bg-accent-soft" : "hover:bg-hover",
      )}
    >
      <label htmlFor={id} className="shrink-0">
        {label}
      </label>
      <select
        id={id}
        value={value}
        {...select}
        className={join(
          "min-h-9 min-w-0 appearance-none bg-transparent pr-7 font-medium outline-none",
          "field-sizing-content pointer-coarse:min-h-11 [&>option]:bg-raised",
          isSet ? "text-accent [&>option]:text-ink" : "text-ink",
        )}
      />
      <ChevronDown
        aria-hidden
        size={14}
        className="pointer-events-none absolute right-2.5 text-muted"
      />
    </span>
  );
}
