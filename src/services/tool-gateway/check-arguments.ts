import type { Wrong } from "../../platform/json-schema/compile-schema.ts";
import { openSchema, type SchemaCheck } from "../../platform/json-schema/open-schema.ts";
import { tidySchema } from "../../platform/json-schema/tidy-schema.ts";
import { ApiError, TooManyRequests } from "../../platform/http/errors.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { RunOptions, Workers } from "../../platform/workers/workers.ts";
import type { ListedTool } from "./contract.ts";
import { isHarmless } from "./permitted-tools.ts";
import { isRecord } from "../../platform/json/is-record.ts";

/** A schema that was read, or why it cannot be used. */
type Schema = { check: SchemaCheck } | { problem: string };

interface Deps {
  log: Logger;
  workers: Pick<Workers, "run">;
}

/**
 * Checks arguments against a tool's `inputSchema`: JSON Schema 2020-12, or draft 7 where it says
 * so. References are never fetched. Where the schema cannot be read or takes too long, a tool that
 * may destroy something is not called, and the arguments of any other are checked by the outline of
 * the schema.
 */
export function createArgumentCheck({
  log,
  workers,
}: Deps): (
  tool: ListedTool,
  args: Record<string, unknown>,
  options: RunOptions,
) => Promise<Wrong[]> {
  const slowChecks = createSlowChecks(workers);
  const schemas = new WeakMap<object, Promise<Schema | undefined>>();

  /** For all users: a limit of the user who asks first does not count for the others. */
  const readSchema = (tool: ListedTool, userId: string | undefined): Promise<Schema> => {
    const { name, server, inputSchema } = tool;
    const reading = openTidied(slowChecks.of(server), inputSchema, { userId }).then(
      (check): Schema => ({ check }),
      (error: unknown): Schema => {
        const isSlow = error instanceof ApiError && error.code === "too_complex";
        if (error instanceof ApiError && !isSlow) throw error;
        log.warn(
          { err: error, tool: name, server },
          "the input schema of a tool is unusable",
        );
        return { problem: isSlow ? "takes too long to read" : "cannot be read" };
      },
    );
    const shared = reading.catch(() => void schemas.delete(inputSchema));
    schemas.set(inputSchema, shared);
    return reading;
  };

  return async (tool, args, { userId, signal }) => {
    try {
      const known = await schemas.get(tool.inputSchema);
      const schema = known ?? (await readSchema(tool, userId));
      if ("problem" in schema)
        return checkPartly(tool, args, `its schema ${schema.problem}`);
      return (await schema.check(args, { userId, signal })).map(toPlace);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ApiError && error.code === "tool_arguments_unchecked")
        throw error;
      const isSlow = error instanceof ApiError && error.code === "too_complex";
      log.warn({ err: error, tool: tool.name }, "the arguments of a tool were not checked");
      const reason = isSlow ? "its schema takes too long to check" : "the check is busy";
      return checkPartly(tool, args, reason);
    }
  };
}

/** Reads what servers write in place of JSON Schema only where it is none: it may change others. */
async function openTidied(
  workers: Pick<Workers, "run">,
  schema: Record<string, unknown>,
  options: RunOptions,
): Promise<SchemaCheck> {
  try {
    return await openSchema(workers, schema, options);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const { $schema: _, ...tidy } = tidySchema(schema);
    return openSchema(workers, tidy, options);
  }
}

/** @throws ApiError `tool_arguments_unchecked` for a tool that may destroy something. */
function checkPartly(
  tool: ListedTool,
  args: Record<string, unknown>,
  reason: string,
): Wrong[] {
  if (isHarmless(tool)) return checkOutline(tool.inputSchema, args).map(toPlace);
  throw new ApiError(
    422,
    "tool_arguments_unchecked",
    `"${tool.name}" was not called: it may destroy something, and its arguments cannot be checked, ` +
      `because ${reason}. Ask an administrator.`,
    { params: { name: tool.name } },
  );
}

function toPlace({ path, message }: Wrong): Wrong {
  return { path: `arguments${path}`, message };
}

const MAX_WRONG = 20;

const TYPES: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: Number.isInteger,
  boolean: (value) => typeof value === "boolean",
  array: Array.isArray,
  object: isRecord,
  null: (value) => value === null,
};

/**
 * Checks what can be read of any schema at once: that the required arguments are there, and the
 * types that its properties name.
 */
function checkOutline(
  { required, properties }: Record<string, unknown>,
  args: Record<string, unknown>,
): Wrong[] {
  const missing = (Array.isArray(required) ? required : [])
    .filter((name) => typeof name === "string" && !Object.hasOwn(args, name))
    .map((name) => ({ path: "", message: `must have required property '${name}'` }));
  const mistyped = Object.entries(isRecord(properties) ? properties : {}).flatMap(
    ([name, schema]) => {
      const types = isRecord(schema) ? [schema["type"]].flat() : [];
      const isKnown =
        types.length > 0 && types.every((type) => Object.hasOwn(TYPES, String(type)));
      if (!isKnown || !Object.hasOwn(args, name)) return [];
      if (types.some((type) => TYPES[String(type)]?.(args[name]))) return [];
      return [{ path: `.${name}`, message: `must be ${types.join(" or ")}` }];
    },
  );
  return [...missing, ...mistyped].slice(0, MAX_WRONG);
}

type Run = Pick<Workers, "run">;

/** Checks that may take too long within the time, of one user at one server. */
const MAX_SLOW = 3;
const WINDOW_MS = 10 * 60_000;
/** Users at servers. Beyond it, the one whose time began first starts again. */
const MAX_KNOWN = 10_000;

interface Slow {
  count: number;
  endsAt: number;
}

/**
 * Limits how often checks of arguments take a worker for as long as it may run: for each user at
 * each server, so that nobody's slow schemas or values end the checks of others.
 */
function createSlowChecks(workers: Run, now: () => number = Date.now) {
  const known = new Map<string, Slow>();

  const find = (key: string): Slow | undefined => {
    const slow = known.get(key);
    if (slow && slow.endsAt > now()) return slow;
    known.delete(key);
    return undefined;
  };
  const count = (key: string) => {
    const slow = find(key);
    if (slow) slow.count += 1;
    else known.set(key, { count: 1, endsAt: now() + WINDOW_MS });
    const [first] = known.keys();
    if (known.size > MAX_KNOWN && first !== undefined) known.delete(first);
  };

  return {
    /** Workers for the checks of a server. @throws TooManyRequests `checks_too_slow`. */
    of: (server: string): Run => ({
      run(task, input, options) {
        const key = JSON.stringify([server, options?.userId]);
        if ((find(key)?.count ?? 0) >= MAX_SLOW) return Promise.reject(tooSlow());
        return workers.run(task, input, options).catch((error: unknown) => {
          if (error instanceof ApiError && error.code === "too_complex") count(key);
          throw error;
        });
      },
    }),
  };
}

function tooSlow(): TooManyRequests {
  return new TooManyRequests(
    "checks_too_slow",
    "Several checks of this server's schemas took too long for you. Try again in 10 minutes.",
    WINDOW_MS,
  );
}
