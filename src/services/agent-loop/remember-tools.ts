import type { ListedTool } from "../tool-gateway/contract.ts";

/** The maximum age of a list. The gateway checks each call against its current list. */
const MAX_AGE_MS = 1_000;

/** The tools of all servers; those with these names are among them if they exist. */
export type ListTools = (
  names: ReadonlySet<string>,
  signal: AbortSignal,
) => Promise<readonly ListedTool[]>;

/**
 * Caches the gateway's list of tools, which is large and which many runs read at once. Reads it
 * again when it is old or lacks one of the names.
 */
export function rememberTools(
  readTools: (signal: AbortSignal) => Promise<ListedTool[]>,
): ListTools {
  let tools: readonly ListedTool[] = [];
  let known: ReadonlySet<string> = new Set();
  let readAt = Number.NEGATIVE_INFINITY;
  return async (names, signal) => {
    if (performance.now() - readAt > MAX_AGE_MS || !names.isSubsetOf(known)) {
      const now = performance.now();
      tools = await readTools(signal);
      known = new Set(tools.map(({ name }) => name));
      readAt = now;
    }
    return tools;
  };
}
