import type { ComponentProps } from "react";
import { join } from "./join.ts";

const LOOKS = {
  primary: "bg-accent text-on-accent hover:opacity-90",
  secondary: "border border-control bg-raised hover:bg-sunken",
  quiet: "text-ink hover:bg-sunken",
  danger: "border border-danger text-danger hover:bg-sunken",
} as const;

export interface ButtonProps extends ComponentProps<"button"> {
  look?: keyof typeof LOOKS;
  /** While true the button stays focusable and does nothing. */
  busy?: boolean;
}

/** A button. Its text says what happens. */
export function Button({
  look = "secondary",
  busy,
  className,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      aria-busy={busy}
      aria-disabled={busy}
      onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
      className={join(
        "inline-flex min-h-8 items-center justify-center gap-2 rounded-md px-3 py-1 font-medium",
        "pointer-coarse:min-h-11 disabled:opacity-50 aria-disabled:opacity-60",
        LOOKS[look],
        className,
      )}
      {...rest}
    />
  );
}
