import type { Wrong } from "../../platform/json-schema/compile-schema.ts";
import { openSchema, type SchemaCheck } from "../../platform/json-schema/open-schema.ts";
import { ApiError } from "../../platform/http/errors.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { Workers } from "../../platform/workers/workers.ts";
import type { ListedTool } from "./contract.ts";

interface Check {
  /** Absent for a schema that cannot be read or takes too long. */
  check: SchemaCheck | undefined;
  /** How often it may still take too long. */
  timeoutsLeft: number;
}

const MAX_TIMEOUTS = 3;

/**
 * Checks arguments against a tool's `inputSchema`: JSON Schema 2020-12, or draft 7 where it says
 * so. References are never fetched. A schema that cannot be read or takes too long checks nothing:
 * then only the server checks the arguments.
 */
export function createArgumentCheck(
  log: Logger,
  workers: Pick<Workers, "run">,
): (
  tool: ListedTool,
  args: Record<string, unknown>,
  signal: AbortSignal,
) => Promise<Wrong[]> {
  const checks = new WeakMap<object, Promise<Check>>();

  const readSchema = async ({ name, inputSchema }: ListedTool): Promise<Check> => {
    try {
      return { check: await openSchema(workers, inputSchema), timeoutsLeft: MAX_TIMEOUTS };
    } catch (error) {
      log.warn(
        { err: error, tool: name },
        "cannot read the input schema of a tool; not checking its arguments",
      );
      return { check: undefined, timeoutsLeft: 0 };
    }
  };
  const findCheck = (tool: ListedTool): Promise<Check> => {
    const check = checks.get(tool.inputSchema) ?? readSchema(tool);
    checks.set(tool.inputSchema, check);
    return check;
  };

  return async (tool, args, signal) => {
    const schema = await findCheck(tool);
    try {
      const wrong = (await schema.check?.(args, { signal })) ?? [];
      return wrong.map(({ path, message }) => ({ path: `arguments${path}`, message }));
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ApiError) || error.code !== "too_complex") return [];
      schema.timeoutsLeft -= 1;
      if (schema.timeoutsLeft > 0) return [];
      log.warn(
        { tool: tool.name },
        "the input schema of a tool takes too long; not checking its arguments any more",
      );
      schema.check = undefined;
      return [];
    }
  };
}
