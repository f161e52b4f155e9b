import type { ReactNode } from "react";
import { join } from "./join.ts";

const LOOKS = {
  plain: "text-muted",
  ok: "text-ok",
  warn: "text-warn",
  danger: "text-danger",
} as const;

interface BadgeProps {
  look?: keyof typeof LOOKS;
  /** Explains the word. */
  title?: string | undefined;
  children: ReactNode;
}

/** A state or kind, in a word or two. */
export function Badge({ look = "plain", title, children }: BadgeProps) {
  return (
    <span
      title={title}
      className={join(
        "inline-block rounded-md border border-hairline px-1.5 text-xs whitespace-nowrap",
        LOOKS[look],
      )}
    >
      {children}
    </span>
  );
}
