import type { Wrong } from "../../platform/json-schema/compile-schema.ts";
import { openSchema, type SchemaCheck } from "../../platform/json-schema/open-schema.ts";
import { ApiError } from "../../platform/http/errors.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { Workers } from "../../platform/workers/workers.ts";
import type { ListedTool } from "./contract.ts";

interface Check {
  /** Absent where the schema cannot be read, or took too long. */
  wrongIn: SchemaCheck | undefined;
  /** How often it may still take too long. */
  chances: number;
}

const CHANCES = 3;

/**
 * Checks arguments against a tool's `inputSchema` (JSON Schema 2020-12, or draft 7 where it says
 * so). References are never fetched; a schema that cannot be read checks nothing, nor does one that
 * takes too long, and the server judges by itself. Source: security row 24.
 */
export function createArgumentCheck(
  log: Logger,
  workers: Pick<Workers, "run">,
): (tool: ListedTool, args: Record<string, unknown>, signal: AbortSignal) => Promise<Wrong[]> {
  const known = new WeakMap<object, Promise<Check>>();

  const read = async ({ name, inputSchema }: ListedTool): Promise<Check> => {
    const check: Check = { wrongIn: undefined, chances: CHANCES };
    try {
      check.wrongIn = await openSchema(workers, inputSchema);
    } catch (error) {
      log.warn(
        { err: error, tool: name },
        "the tool's input schema cannot be read; its arguments are not checked",
      );
    }
    return check;
  };
  const checkOf = (tool: ListedTool): Promise<Check> => {
    const found = known.get(tool.inputSchema) ?? read(tool);
    known.set(tool.inputSchema, found);
    return found;
  };

  return async (tool, args, signal) => {
    const check = await checkOf(tool);
    try {
      const wrong = (await check.wrongIn?.(args, { signal })) ?? [];
      return wrong.map(({ path, message }) => ({ path: `arguments${path}`, message }));
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ApiError) || error.code !== "too_complex") return [];
      check.chances -= 1;
      if (check.chances === 0) {
        log.warn(
          { tool: tool.name },
          "the tool's input schema takes too long; its arguments are no longer checked",
        );
        check.wrongIn = undefined;
      }
      return [];
    }
  };
}
