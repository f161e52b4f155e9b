import type { RunSummary } from "./queries.ts";

/** The subject of a run: its file, or the schedule that started it. */
export function titleOf({
  medium,
  name,
  origin,
}: Pick<RunSummary, "medium" | "name" | "origin">) {
  return medium?.filename ?? (name || origin);
}
