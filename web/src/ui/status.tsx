import { join } from "./join.ts";

export type StatusKind = "ok" | "degraded" | "down" | "idle";

const LOOKS = {
  ok: "bg-ok",
  degraded: "bg-warn",
  down: "bg-danger",
  idle: "border border-control",
} as const;

/** How something is: a dot in a colour, and the words that say the same. */
export function Status({ kind, label }: { kind: StatusKind; label: string }) {
  return (
    <span className="inline-flex items-center gap-2">
      <span aria-hidden className={join("size-2 shrink-0 rounded-full", LOOKS[kind])} />
      {label}
    </span>
  );
}
