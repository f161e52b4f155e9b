import { join } from "./join.ts";

export type StatusKind = "ok" | "degraded" | "down" | "idle";

const LOOKS = {
  ok: "bg-faint",
  degraded: "bg-warn",
  down: "bg-danger",
  idle: "border border-control",
} as const;

/** What is right says nothing loud. */
const WORDS = {
  ok: "text-muted",
  degraded: "text-warn",
  down: "text-danger",
  idle: "text-muted",
} as const;

/** A state: a coloured dot, and its name in words. */
export function Status({ kind, label }: { kind: StatusKind; label: string }) {
  return (
    <span className={join("inline-flex items-center gap-2", WORDS[kind])}>
      <span aria-hidden className={join("size-2 shrink-0 rounded-full", LOOKS[kind])} />
      {label}
    </span>
  );
}
