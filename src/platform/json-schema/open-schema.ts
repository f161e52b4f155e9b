import type { Task } from "../workers/task.ts";
import type { RunOptions, Workers } from "../workers/workers.ts";
import type checkInWorker from "./check-in-worker.ts";
import { compileSchema, type Wrong } from "./compile-schema.ts";

/**
 * @returns the violations of a value, up to 20. A valid value has none.
 * @throws ApiError of `Workers`.
 */
export type SchemaCheck = (value: unknown, options?: RunOptions) => Promise<Wrong[]>;

const CHECK: Task<typeof checkInWorker> = {
  file: new URL("./check-in-worker.ts", import.meta.url),
  timeoutMs: 5_000,
  advice: "Use a simpler JSON Schema.",
};
/**
 * Keywords whose check can be slow for a small schema: expressions that backtrack, references that
 * fan out, comparison of all items.
 */
const COSTLY =
  /"(?:pattern|patternProperties|\$ref|\$dynamicRef|\$recursiveRef|uniqueItems)"/;
/** Smaller schemas compile within milliseconds. */
const MAX_SMALL_NODES = 60;
const MAX_SMALL_CHARACTERS = 8_000;
/** Values with fewer parts are checked within milliseconds. */
const MAX_SMALL_VALUES = 500;

/**
 * Reads untrusted JSON Schema. A small schema is compiled and checked here, any other in a worker,
 * which is killed when it takes too long.
 * @throws Error for a schema that cannot be read, ApiError of `Workers` when it takes too long.
 */
export async function openSchema(
  workers: Pick<Workers, "run">,
  schema: Record<string, unknown>,
  options?: RunOptions,
): Promise<SchemaCheck> {
  const inWorker: SchemaCheck = async (checked, more) =>
    requireReadable(await workers.run(CHECK, { schema, value: { checked } }, more));
  if (isSmall(schema)) {
    const check = compileSchema(schema);
    return async (value, more) =>
      hasMore(value, MAX_SMALL_VALUES) ? inWorker(value, more) : check(value);
  }
  requireReadable(await workers.run(CHECK, { schema }, options));
  return inWorker;
}

function isSmall(schema: Record<string, unknown>): boolean {
  if (hasMore(schema, MAX_SMALL_NODES)) return false;
  const text = JSON.stringify(schema);
  return text.length <= MAX_SMALL_CHARACTERS && !COSTLY.test(text);
}

function requireReadable(outcome: Awaited<ReturnType<typeof checkInWorker>>): Wrong[] {
  if ("unreadable" in outcome) throw new Error(outcome.unreadable);
  return outcome;
}

function hasMore(value: unknown, maxValues: number): boolean {
  let left = maxValues;
  const rest: unknown[] = [value];
  while (rest.length > 0) {
    const one = rest.pop();
    if (typeof one !== "object" || one === null) continue;
    const inner = Object.values(one);
    left -= inner.length;
    if (left < 0) return true;
    rest.push(...inner);
  }
  return false;
}
