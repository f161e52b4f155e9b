import { join } from "./join.ts";

/** Two to four views of the same thing, of which one is shown: the track. */
export const SEGMENTS_LOOK = "inline-flex gap-0.5 rounded-md bg-sunken p-0.5";

/** One of the views. */
export function segmentLook(isOn: boolean, className?: string): string {
  return join(
    "inline-flex min-h-7 items-center justify-center rounded px-3 pointer-coarse:min-h-11",
    isOn ? "bg-thumb font-medium text-ink shadow-1" : "text-muted hover:text-ink",
    className,
  );
}
