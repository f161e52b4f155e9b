import { setFlagsFromString } from "node:v8";
import { memoryBytes } from "../platform/memory.ts";

const MEBIBYTE = 2 ** 20;
/** Optimising one function of the embedded database takes 600 MB for half a second. */
const SMALL_BELOW_BYTES = 1_536 * MEBIBYTE;
/** While the process runs, `--liftoff-only`, which implies these, has no effect. */
const KEEP_BASELINE_CODE = ["--no-wasm-tier-up", "--no-wasm-dynamic-tiering"];
const LEAST_BYTES = 512 * MEBIBYTE;

/**
 * On a small machine the code of the embedded database is not optimised. Call it before the
 * database is opened.
 * @returns lines for the terminal where there is less memory than a server needs.
 */
export function fitMachine(choice: "auto" | "yes" | "no"): string[] {
  const bytes = memoryBytes();
  const isSmall = choice === "auto" ? bytes < SMALL_BELOW_BYTES : choice === "yes";
  if (isSmall) for (const flag of KEEP_BASELINE_CODE) setFlagsFromString(flag);
  if (bytes >= LEAST_BYTES) return [];
  return [
    `Only ${Math.floor(bytes / MEBIBYTE)} MB of memory may be used here; Parlance needs ` +
      `${LEAST_BYTES / MEBIBYTE} MB. Raise the limit of the container, or it may be ended at any time.`,
  ];
}
