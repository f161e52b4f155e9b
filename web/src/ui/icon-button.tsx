import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { join } from "./join.ts";

export interface IconButtonProps extends Omit<ComponentProps<"button">, "children"> {
  icon: LucideIcon;
  /** Read by screen readers and shown on hover. */
  label: string;
  /** `aria-pressed` of a switch. */
  pressed?: boolean;
}

/** A button that shows only an icon. */
export function IconButton({
  icon: Icon,
  label,
  pressed,
  className,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      className={join(
        "inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted",
        "pointer-coarse:size-11 hover:bg-hover hover:text-ink active:bg-pressed",
        "aria-pressed:text-accent disabled:opacity-40 aria-disabled:opacity-40",
        className,
      )}
      {...rest}
    >
      <Icon aria-hidden size={17} strokeWidth={1.75} />
    </button>
  );
}
