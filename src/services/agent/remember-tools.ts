import type { ListedTool } from "../tool-gateway/contract.ts";

/**
 * The gateway may know of a change for this long before a run does. What is called is looked up by
 * the gateway itself, every time.
 */
const FRESH_MS = 1_000;

/**
 * The gateway's tools as they were a moment ago: a list of hundreds is large, and each of many runs
 * at once would read all of it. It is read again at once where one of the names is missing. @throws
 * what `ask` throws.
 */
export function rememberTools(ask: (signal: AbortSignal) => Promise<ListedTool[]>) {
  let tools: readonly ListedTool[] = [];
  let names: ReadonlySet<string> = new Set();
  let askedAt = Number.NEGATIVE_INFINITY;
  return async (
    wanted: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<readonly ListedTool[]> => {
    if (performance.now() - askedAt > FRESH_MS || !wanted.isSubsetOf(names)) {
      const now = performance.now();
      tools = await ask(signal);
      names = new Set(tools.map(({ name }) => name));
      askedAt = now;
    }
    return tools;
  };
}
