import type { ComponentProps } from "react";
import { join } from "./join.ts";

const LOOKS = {
  primary: "bg-accent text-on-accent shadow-1 hover:bg-accent-strong",
  secondary:
    "border border-hairline-strong bg-raised shadow-1 hover:border-control active:bg-hover",
  quiet: "text-ink hover:bg-hover active:bg-pressed",
  danger: "text-danger hover:bg-danger-soft",
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
      className={join(buttonLook(look), className)}
      {...rest}
    />
  );
}

/** The look of a button, for a link that stands among buttons. */
export function buttonLook(look: keyof typeof LOOKS = "secondary"): string {
  return join(
    "inline-flex min-h-9 items-center justify-center gap-2 rounded-md px-3.5 py-1 font-medium",
    "has-[>svg:first-child]:pl-2.75 pointer-coarse:min-h-11",
    "disabled:bg-sunken disabled:text-muted disabled:shadow-none disabled:border-transparent",
    "aria-disabled:bg-sunken aria-disabled:text-muted aria-disabled:shadow-none",
    LOOKS[look],
  );
}
