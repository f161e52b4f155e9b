import type { ReactNode } from "react";
import { join } from "./join.ts";

const LOOKS = {
  plain: "bg-sunken text-muted",
  warn: "bg-warn-soft text-warn",
  danger: "bg-danger-soft text-danger",
} as const;

interface BadgeProps {
  look?: keyof typeof LOOKS;
  /** Explains the word. */
  title?: string | undefined;
  children: ReactNode;
}

/** A state or kind, in a word or two. What is right is muted: only an exception has a colour. */
export function Badge({ look = "plain", title, children }: BadgeProps) {
  return (
    <span
      title={title}
      className={join(
        "inline-block rounded-sm px-1.75 text-xs leading-5 font-medium whitespace-nowrap",
        LOOKS[look],
      )}
    >
      {children}
    </span>
  );
}
