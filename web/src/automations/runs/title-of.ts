import type { RunSummary } from "./queries.ts";

/** What a run is about: its file, or the schedule that began it. */
export function titleOf({
  medium,
  name,
  origin,
}: Pick<RunSummary, "medium" | "name" | "origin">) {
  return medium?.filename ?? (name || origin);
}
