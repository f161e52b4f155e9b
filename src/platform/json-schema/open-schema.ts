import type { Task } from "../workers/task.ts";
import type { RunOptions, Workers } from "../workers/workers.ts";
import type checkInWorker from "./check-in-worker.ts";
import { compileSchema, type Wrong } from "./compile-schema.ts";

/**
 * @returns what is wrong with a value, 20 at most; nothing: it is right.
 * @throws ApiError of `Workers`.
 */
export type SchemaCheck = (value: unknown, options?: RunOptions) => Promise<Wrong[]>;

const CHECK: Task<typeof checkInWorker> = {
  file: new URL("./check-in-worker.ts", import.meta.url),
  timeoutMs: 5_000,
  advice: "Use a simpler JSON Schema.",
};
/**
 * What is slow beyond its own size: expressions that backtrack, references that fan out, comparison
 * of each with each.
 */
const COSTLY = /"(?:pattern|patternProperties|\$ref|\$dynamicRef|\$recursiveRef|uniqueItems)"/;
/** Up to here compiling takes milliseconds. */
const MAX_SMALL_NODES = 60;
const MAX_SMALL_CHARACTERS = 8_000;
/** So does checking so many values. */
const MAX_SMALL_VALUES = 500;

/**
 * Reads JSON Schema that strangers wrote. What is small is compiled and checked here; anything else
 * in a worker, which is killed when it takes too long.
 * @throws Error where it cannot be read, ApiError of `Workers` where that takes too long.
 */
export async function openSchema(
  workers: Pick<Workers, "run">,
  schema: Record<string, unknown>,
  options?: RunOptions,
): Promise<SchemaCheck> {
  const inWorker: SchemaCheck = async (checked, more) =>
    readable(await workers.run(CHECK, { schema, value: { checked } }, more));
  if (isSmall(schema)) {
    const check = compileSchema(schema);
    return async (value, more) =>
      hasMore(value, MAX_SMALL_VALUES) ? inWorker(value, more) : check(value);
  }
  readable(await workers.run(CHECK, { schema }, options));
  return inWorker;
}

function isSmall(schema: Record<string, unknown>): boolean {
  if (hasMore(schema, MAX_SMALL_NODES)) return false;
  const text = JSON.stringify(schema);
  return text.length <= MAX_SMALL_CHARACTERS && !COSTLY.test(text);
}

function readable(outcome: Awaited<ReturnType<typeof checkInWorker>>): Wrong[] {
  if ("unreadable" in outcome) throw new Error(outcome.unreadable);
  return outcome;
}

function hasMore(value: unknown, most: number): boolean {
  let left = most;
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
