import type { ComponentProps, ReactNode } from "react";
import { join } from "./join.ts";

interface CheckboxProps extends Omit<ComponentProps<"input">, "type"> {
  label: ReactNode;
  /** A second, muted line. */
  hint?: ReactNode;
  type?: "checkbox" | "radio";
}

/** A box to tick, or one of several to choose, with its label. */
export function Checkbox({
  label,
  hint,
  type = "checkbox",
  className,
  ...input
}: CheckboxProps) {
  return (
    <label
      className={join(
        "flex min-h-6 items-start gap-2 py-1 pointer-coarse:min-h-11",
        className,
      )}
    >
      <input type={type} className="mt-0.5 size-4 shrink-0 accent-accent" {...input} />
      <span className="min-w-0">
        {label}
        {hint && <span className="block text-xs text-muted">{hint}</span>}
      </span>
    </label>
  );
}
